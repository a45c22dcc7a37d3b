# A complete installation in its own mount namespace. It changes only copies, and stand-ins at the front of
# PATH replace downloads and services. real.sh INSTALL OUT prints the output of install; OUT gets the log of
# the stand-ins and the changed files.
set -eu
install=$1 out=$2
[ $$ -le 10 ] || { echo "no process namespace of its own" >&2; exit 1; }
# shellcheck source=downloads.sh
. "$(dirname "$0")/downloads.sh"
cp -a /etc "$out/etc.copy"
for directory in /etc /opt /var/lib /usr/local/sbin /proc/sys /sys; do mount -t tmpfs none "$directory"; done
cp -a "$out/etc.copy/." /etc/ && rm -rf "$out/etc.copy"
# lane-clean removes files by their owner's number. What the test needs may be below one of these directories.
clone=$(cd "$(dirname "$0")/../../../../.." && pwd)
mkdir /usr/local/sbin/clone
mount --bind "$clone" /usr/local/sbin/clone
mount --bind "$out" /mnt
for directory in /tmp /var/tmp /var/spool /run /dev/shm /dev/mqueue; do [ ! -d "$directory" ] || mount -t tmpfs none "$directory"; done
mkdir -p "$out" && mount --bind /mnt "$out" && umount /mnt
mkdir -p "$clone" && mount --bind /usr/local/sbin/clone "$clone" && umount /usr/local/sbin/clone
rmdir /usr/local/sbin/clone
mkdir -p /var/lib/misc
rm -rf /etc/systemd/system/fairstream* /etc/sysctl.d/60-fairstream.conf

downloads "$install" "$out"
for program in systemctl nft; do
	printf '#!/bin/sh\necho "%s $*" >>%s/log\n' "$program" "$out" >/usr/local/sbin/$program
done
printf '#!/bin/sh\nprintf "/%%s\\n" etc opt var/lib\n' >/usr/local/sbin/findmnt # not all that this machine has
chmod +x /usr/local/sbin/*

state() { find /etc /opt /var/lib -printf '%p %m %U %G %l\n' | sort; }
state >"$out/before"
if [ -n "${WRONG_HASH-}" ]; then
	echo secret | RUNNER_SHA256=$(printf '%064d' 0) "$install" acme/bench && exit 1
	[ ! -e /opt/fairstream/fairstream-main/bin ] || exit 1
	exit 0
fi
echo secret | "$install" acme/bench
state >"$out/after"
cat /opt/fairstream/gate/fairstream-pr.conf >"$out/list"
"$install" acme/bench </dev/null # again: it asks for no token
"$install" -u
state >"$out/undone"
