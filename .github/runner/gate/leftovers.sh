# What both hooks know of processes. Sourced, with a PATH that was reset.
# /proc/PID/status is asked, which a process cannot hide from its own user: the
# owner of /proc/PID itself is root for one that made itself undumpable.

# field PID KEY: the first value of a line of /proc/PID/status; fails when the process is gone.
field() {
	local key value rest
	while read -r key value rest; do
		if [ "$key" = "$2:" ]; then echo "$value"; return; fi
	done 2>/dev/null <"/proc/$1/status" # it has ended: report that to the caller
	return 1
}

parent() { field "$1" PPid || echo 1; }

# executable PID: the name of its program's file, quoted where a shell needs it. A job chooses the name.
executable() {
	local path
	path=$(readlink "/proc/$1/exe" 2>/dev/null) || path= # it has ended
	path=${path% (deleted)}
	printf '%q\n' "${path##*/}"
}

# of_user UID: its processes that are not dead yet.
of_user() {
	local directory pid
	for directory in /proc/[0-9]*; do
		pid=${directory#/proc/}
		[ "$(field "$pid" Uid)" = "$1" ] && [ "$(field "$pid" State)" != Z ] && echo "$pid"
	done
	return 0
}

# leftovers: the processes of this user but this shell and its ancestors, which
# are the runner's own, and this shell's children, which end with it.
leftovers() {
	local own=" $$ " pid=$PPID
	while [ "$pid" -gt 1 ]; do
		own+="$pid "
		pid=$(parent "$pid")
	done
	for pid in $(of_user "$UID"); do
		case $own in *" $pid "*) continue ;; esac
		[ "$(parent "$pid")" = $$ ] || [ ! -e "/proc/$pid" ] || echo "$pid"
	done
}

# end_leftovers SAY kills them by pid, and again those that were started
# meanwhile; it fails when that has no end.
end_leftovers() {
	local pid left
	for _ in {1..10}; do
		left=$(leftovers)
		[ -n "$left" ] || return 0
		for pid in $left; do
			"$1" "left by an earlier job: process $pid, $(executable "$pid")"
			kill -KILL "$pid" 2>/dev/null # it has ended meanwhile
		done
		sleep 0.1
	done
	return 1
}
