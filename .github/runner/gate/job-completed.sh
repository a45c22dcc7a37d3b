#!/bin/bash
# Started by the runner after the last step of each job: ends what the job left
# running, and in a lane whose list says so empties the job's directories.
#
# It runs as the job's user and after its code, which may have put a shell of
# its own into $GITHUB_PATH, where the runner looks for bash. So this is for an
# honest job's leftovers and for the log; that nothing survives is seen to by
# lane-clean, which runs as root when the runner has ended.
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

lane=$(id -un 2>/dev/null) # the number, where there is no name
while read -r key directory; do
	[ "$key" = wipe ] || continue
	# The runner's own directories begin with _ and are in use until it ends: what
	# _diag has of the job's log is still to be sent.
	case ${directory##*/} in _*) continue ;; esac
	find "$directory" -mindepth 1 -maxdepth 1 ! -name '_*' -exec chmod -R u+w {} + -exec rm -rf {} + ||
		say "$directory: not emptied; lane-clean does it"
done <"${0%/*}/$lane.conf"
exit 0
