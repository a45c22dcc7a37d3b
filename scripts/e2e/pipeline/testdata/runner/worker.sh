# What the runner's worker does around a job, as far as the hooks can tell: it
# starts them as "bash -e FILE"; when the first fails the job has failed, which
# stops its steps but not those with "if: always()". HOOKS, and DIR to write to.
/bin/bash -e "$1/job-started.sh" && { touch "$2/step"; [ ! -e "$2/step.sh" ] || RUNNER_TRACKING_ID="" /bin/bash "$2/step.sh"; }
touch "$2/always"
/bin/bash -e "$1/job-completed.sh"
exit 0
