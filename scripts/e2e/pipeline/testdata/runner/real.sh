# A complete installation in its own mount namespace. It changes only copies, and stand-ins at the front of
# PATH replace downloads and services. real.sh INSTALL OUT prints the output of install; OUT gets the log of
# the stand-ins and the changed files.
set -eu
install=$1 out=$2
[ $$ -le 10 ] || { echo "no process namespace of its own" >&2; exit 1; }
cp -a /etc "$out/etc.copy"
for directory in /etc /opt /var/lib /usr/local/sbin /proc/sys /sys; do mount -t tmpfs none "$directory"; done
cp -a "$out/etc.copy/." /etc/ && rm -rf "$out/etc.copy"
mkdir -p /var/lib/misc "$out/files/runner/bin" "$out/files/runner/externals" "$out/files/go/bin"
rm -rf /etc/systemd/system/fairstream* /etc/sysctl.d/60-fairstream.conf

for program in apt-get systemctl sysctl nft swapon; do
	printf '#!/bin/sh\necho "%s $*" >>%s/log\n' "$program" "$out" >/usr/local/sbin/$program
done
# The runner's own configuration: writes what the real one writes.
cat >"$out/files/runner/config.sh" <<'END'
#!/bin/sh
echo "config.sh $* token=$ACTIONS_RUNNER_INPUT_TOKEN" >>OUT/log
for file in .runner .credentials .credentials_rsaparams .env .path; do echo x >$file; chmod 600 $file; done
END
printf '#!/bin/sh\nmkdir -p "$CARGO_HOME/bin"; cp "$0" "$CARGO_HOME/bin/rustup"; echo "rustup-init $*" >>%s/log\n' "$out" >"$out/files/rustup-init"
sed -i "s|OUT|$out|" "$out/files/runner/config.sh"
chmod +x "$out/files/runner/config.sh"
touch "$out/files/runner/bin/Runner.Listener" "$out/files/go/bin/go"
sed -n 's/^toolchain //p' "$(dirname "$install")/../../scripts/go.mod" >"$out/files/go/VERSION"
# As in the real one, the files are another user's.
tar -czf "$out/runner.tar.gz" --owner=1001 --group=1001 -C "$out/files/runner" .
tar -czf "$out/go.tar.gz" -C "$out/files" go
sha() { sha256sum "$1" | cut -d' ' -f1; }
cat >/usr/local/sbin/curl <<END
#!/bin/sh
for last; do :; done
to=/dev/stdout; while [ \$# -gt 0 ]; do [ "\$1" != -o ] || to=\$2; shift; done
case \$last in
*/releases/tags/*) echo '{"assets":[{"name":"actions-runner-linux-x64-'\${last##*/v}'.tar.gz","digest":"sha256:$(sha "$out/runner.tar.gz")"}]}' ;;
*/repos/acme/bench) echo '{"id":77}' ;;
*/actions-runner-*) cat "$out/runner.tar.gz" ;;
*mode=json*) echo '[{"files":[{"filename":"'$(cat "$out/files/go/VERSION").linux-amd64.tar.gz'","sha256":"$(sha "$out/go.tar.gz")"}]}]' ;;
*/dl/go*) cat "$out/go.tar.gz" ;;
*.sha256) echo "$(sha "$out/files/rustup-init")  rustup-init" ;;
*/rustup-init) cat "$out/files/rustup-init" ;;
*) exit 22 ;;
esac >"\$to"
END
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
