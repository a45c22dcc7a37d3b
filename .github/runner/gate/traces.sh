# Traces that a job leaves outside of its sandbox. Sourced by lane-clean, with a PATH that was reset.
# A job can write only to its own directories. So each trace shows a way out of the sandbox.

# traces USER UID names what the user has elsewhere, and removes it.
traces() {
	local file directory directories=() list name option owner creator fields
	# The flag makes systemd start a manager for the user at each boot, without any sandbox.
	for file in "/var/lib/systemd/linger/$1" "/var/spool/cron/$1" "/var/spool/cron/crontabs/$1"; do
		[ -e "$file" ] || [ -L "$file" ] || continue
		echo "$file"
		rm -rf -- "$file"
	done
	if [ -d /run/systemd/system ]; then
		# The slice also has processes that took another of the user's numbers.
		systemctl kill -s KILL "user-$2.slice" 2>/dev/null || true                         # usually there is none
		systemctl stop "user@$2.service" "user-runtime-dir@$2.service" 2>/dev/null || true # as above
	fi
	for directory in /tmp /var/tmp /dev/shm /dev/mqueue /run /run/lock /var/spool /var/mail /var/crash; do
		[ ! -d "$directory" ] || directories+=("$directory")
	done
	# The private /tmp of a unit is root's directory, and systemd removes it with the unit.
	find "${directories[@]}" -xdev -mindepth 1 \( -path '*/tmp/systemd-private-*' -user root -prune \) -o \( -user "$2" -print0 -prune \) |
		while IFS= read -r -d '' file; do
			printf '%q\n' "$file"
			rm -rf --one-file-system -- "$file"
		done
	# The columns of the owner and of the creator differ.
	for list in 'shm -m 7 9' 'msg -q 7 9' 'sem -s 4 6'; do
		read -r name option owner creator <<<"$list"
		while read -ra fields; do
			[ "${fields[owner]}" = "$2" ] || [ "${fields[creator]}" = "$2" ] || continue
			echo "System V IPC: $name ${fields[1]}"
			ipcrm "$option" "${fields[1]}" || true # it has gone meanwhile
		done < <(tail -n +2 "/proc/sysvipc/$name")
	done
}
