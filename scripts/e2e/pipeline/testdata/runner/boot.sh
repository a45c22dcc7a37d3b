# Boots a systemd that is thrown away afterwards, in namespaces of its own. It sees this machine's files, and writes
# to memory. boot.sh DIR: DIR/files is copied into its root, and DIR/jobs is its /jobs. This process is the sandbox:
# all of it ends with this process.
set -eu
dir=$1
if [ "${2-}" != inside ]; then
	# A tree of control groups whatever this machine has, so that systemd finds the one that it wants.
	mount --make-rprivate /
	mkdir -p "$dir/cgroup" && mount -t cgroup2 none "$dir/cgroup"
	mkdir "$dir/cgroup/fairstream-test-$$" && echo $$ >"$dir/cgroup/fairstream-test-$$/cgroup.procs"
	exec unshare --mount --pid --fork --kill-child=SIGKILL --uts --ipc --net --cgroup bash "$0" "$dir" inside
fi

root=$dir/box/root
mkdir -p "$dir/box" && mount -t tmpfs none "$dir/box"
mkdir "$dir/box/upper" "$dir/box/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$dir/box/upper,workdir=$dir/box/work" "$root"
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys" && mount -o remount,bind,ro "$root/proc/sys" # this machine's
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 none "$root/run"
for directory in tmp var/tmp; do mount -t tmpfs -o mode=1777 none "$root/$directory"; done
mount -t tmpfs -o mode=755 none "$root/dev"
for node in null zero full random urandom tty; do touch "$root/dev/$node" && mount --bind "/dev/$node" "$root/dev/$node"; done
mkdir "$root/dev/shm" "$root/dev/pts" "$root/dev/mqueue"
mount -t tmpfs -o mode=1777 none "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 none "$root/dev/pts"
mount -t mqueue none "$root/dev/mqueue"
ln -s /proc/self/fd "$root/dev/fd" && ln -s pts/ptmx "$root/dev/ptmx"

# Only what a test starts runs. What else this machine starts at boot is not its subject.
find "$root/etc/systemd/system" "$root/usr/lib/systemd/system" "$root/lib/systemd/system/" -maxdepth 1 \( -name '*.wants' -o -name '*.requires' \) -exec rm -rf {} +
rm -rf "$root"/etc/systemd/system/fairstream* "$root/etc/fstab" "$root/etc/resolv.conf" "$root"/var/lib/systemd/linger "$root"/opt/fairstream "$root"/var/lib/fairstream
touch "$root/etc/fstab"
echo 'nameserver 192.168.50.1' >"$root/etc/resolv.conf"
echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
for program in swapon swapoff; do printf '#!/bin/sh\n' >"$root/usr/sbin/$program"; done # of the whole machine
cat >"$root/etc/systemd/system/test.target" <<END
[Unit]
Wants=dbus.service systemd-logind.service polkit.service cron.service systemd-journald.service
END
cp -a "$dir/files/." "$root/"
mkdir "$root/jobs" && mount --bind "$dir/jobs" "$root/jobs"
for seed in ${SEEDS-}; do # NAME=DIRECTORY
	mkdir -p "$root/seed/${seed%%=*}"
	mount --bind -o ro "${seed#*=}" "$root/seed/${seed%%=*}"
done
mkdir "$root/.old"
cd "$root"
pivot_root . .old
umount -l /.old
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=test.target --log-target=console --log-level=warning --show-status=no
