#!/bin/bash
# Started by the runner after the last step of each job: ends what the job left running, and names it in the
# job's log.
#
# It runs as the job's user and after its code, which may have put a shell of its own into $GITHUB_PATH, where
# the runner looks for bash. So this serves honest jobs. The unit and lane-clean, which is root's, see to it
# that nothing of the others survives.
POSIXLY_CORRECT=1
case ${1-} in
clean) ;;
*) exec /usr/bin/env -i PATH=/usr/bin:/bin LC_ALL=C /bin/bash -p "$0" clean ;;
esac

set -u
# shellcheck source=leftovers.sh
. "${0%/*}/leftovers.sh"

say() { printf 'after the job: %s\n' "$*"; }
end_leftovers say || say "some processes do not end"
exit 0
