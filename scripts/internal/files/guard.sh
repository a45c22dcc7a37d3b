# Reads "+ WHAT" and "- WHAT". WHAT is the number of a process group, or the path of a directory. At the end of the
# input all that is left goes. A group with ~ before its number may finish first.
began=$1 # a program that tells the time would keep our input open when somebody kills us
newline='
'
IFS=$newline # paths may have spaces
set -f       # and asterisks
held=
while read -r line; do
	what=${line#??}
	if [ "$line" = "+ $what" ]; then
		held=$held$newline$what
		continue
	fi
	left=
	for h in $held; do
		[ "${h#"~"}" = "$what" ] || left=$left$newline$h
	done
	held=$left
done
again() {
	[ $patience -gt 0 ] && patience=$((patience - 1)) && sleep 0.1
}
lives() { kill -s 0 -- "-$1"; } # a zombie that nobody waits for does too
for h in $held; do
	case $h in
	/* | "~"*) ;;
	*) kill -s KILL -- "-$h" ;;
	esac
done
# A killed program writes until it is gone.
patience=100 # 10 s for the killed groups
for h in $held; do
	case $h in
	/* | "~"*) ;;
	*) while lives "$h" && again; do :; done ;;
	esac
done
patience=100
for h in $held; do
	case $h in
	"~"*)
		while lives "${h#"~"}" && again; do :; done
		kill -s KILL -- "-${h#"~"}"
		;;
	esac
done
# One that left its group writes a little longer.
patience=100
for h in $held; do
	case $h in
	/*) until rm -rf -- "$h" || ! again; do :; done ;;
	esac
done
# A killed PostgreSQL leaves a segment of shared memory. Only the kernel knows it, with the number of its creator.
while IFS=' ' read -r key id mode size creator user attached uid gid cuid cgid atime dtime ctime rest; do
	for h in $held; do
		[ "$h" = "$creator" ] && [ "$ctime" -ge "$began" ] && ipcrm --shmem-id "$id"
	done
done </proc/sysvipc/shm
