# Does what the runner's worker does around a job, as far as the hooks can see. It starts them as "bash -e
# FILE". When the first one fails, the job has failed, which stops its steps except those with "if: always()".
# It reads HOOKS, and DIR to write to.
/bin/bash -e "$1/job-started.sh" && { touch "$2/step"; [ ! -e "$2/step.sh" ] || RUNNER_TRACKING_ID="" /bin/bash "$2/step.sh"; }
touch "$2/always"
/bin/bash -e "$1/job-completed.sh"
exit 0
