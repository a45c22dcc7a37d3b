#!/bin/bash
# The gate: started by the runner before the first step of each job. A job that
# is not on the lane's list ends here. A failing hook would not do: the runner
# then fails the job but still executes steps with "if: always()". So the
# runner's worker process itself is killed, and with it all that it would start.
#
# The first lines trust nothing of the environment: an assignment cannot be
# overridden, and in POSIX mode no exported function can stand in for exec.
POSIXLY_CORRECT=1
case ${1-} in
clean) ;;
*)
	exec /usr/bin/env -i PATH=/usr/bin:/bin LC_ALL=C BASH_ENV_SEEN="${BASH_ENV-}${ENV-}${LD_PRELOAD-}" \
		REPOSITORY="${GITHUB_REPOSITORY-}" REPOSITORY_ID="${GITHUB_REPOSITORY_ID-}" EVENT="${GITHUB_EVENT_NAME-}" \
		WORKFLOW="${GITHUB_WORKFLOW_REF-}" REF="${GITHUB_REF-}" /bin/bash -p "$0" clean
	;;
esac

set -u
trap 'kill -KILL $PPID' EXIT # until deny is there
# shellcheck source=leftovers.sh
. "${0%/*}/leftovers.sh"

say() { printf 'gate: %s\n' "$*"; logger -t fairstream-gate -- "$*" 2>/dev/null; } # the job's own log has it

deny() {
	trap - EXIT
	local pid=$PPID
	while [ "$pid" -gt 1 ] && [ "$(executable "$pid")" != Runner.Worker ]; do
		pid=$(parent "$pid")
	done
	# Without a worker among the ancestors, what started this would go on.
	[ "$pid" -gt 1 ] || pid=$PPID
	say "denied: $*; killing the worker, process $pid"
	kill -KILL "$pid"
	exit 1
}
# An error below refuses the job.
trap 'deny "the gate broke off"' EXIT

lane=$(id -un 2>/dev/null) # the number, where there is no name
list=${0%/*}/$lane.conf
[ -r "$list" ] || deny "user $lane: no list $list"

# allowed KEY SEEN: one of the list's lines "KEY VALUE" has this very value.
allowed() {
	local key value wanted=
	while read -r key value; do
		[ "$key" = "$1" ] || continue
		[ "$value" = "$2" ] && return
		wanted+="${wanted:+ or }$value"
	done <"$list"
	deny "lane $lane: $1: seen $(printf %q "$2"), wanted ${wanted:-nothing at all}"
}

[ -z "$BASH_ENV_SEEN" ] || deny "lane $lane: BASH_ENV, ENV or LD_PRELOAD is set: $(printf %q "$BASH_ENV_SEEN")"
allowed repository "$REPOSITORY"
allowed event "$EVENT"
allowed ref "$REF"
# GITHUB_WORKFLOW_REF names the workflow that was triggered, not one that it
# calls: OWNER/NAME/.github/workflows/FILE@REF
allowed workflow "${WORKFLOW#"$REPOSITORY"/}"
grep -q '^repository_id ' "$list" && allowed repository_id "$REPOSITORY_ID"

# A measurement needs a clean machine.
end_leftovers say || deny "lane $lane: processes of an earlier job do not end"

# Root knows whether the other lane is idle, whether the firewall is loaded, and whether a job left its sandbox.
# -q, since the home's .curlrc is the lane's.
ask=$(sed -n 's/^ask //p' "$list")
if [ -n "$ask" ]; then
	answer=$(curl -q -sS --max-time 200 --unix-socket "$ask" http://gate/ 2>&1)
	[ "$answer" = go ] || deny "lane $lane: $answer"
fi
trap - EXIT
say "lane $lane: $EVENT of $WORKFLOW may run"
exit 0
