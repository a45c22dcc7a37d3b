# downloads INSTALL OUT makes what install downloads, and stand-ins for the programs that fetch it or act on
# the host. The runner has what OUT/runner has. OUT/log gets the calls.
downloads() {
	local install=$1 out=$2 program
	mkdir -p /usr/local/sbin "$out/files/runner/bin" "$out/files/runner/externals" "$out/files/go/bin"
	for program in sysctl swapon swapoff; do
		printf '#!/bin/sh\necho "%s $*" >>%s/log\n' "$program" "$out" >/usr/local/sbin/$program
	done
	# A unit starts when its package is installed, unless it is masked.
	printf '#!/bin/sh\necho "apt-get $*; masked: $(cd /etc/systemd/system && find . -maxdepth 1 -lname /dev/null -printf "%%f ")" >>%s/log\n' "$out" >/usr/local/sbin/apt-get
	# The runner's own configuration: writes what the real one writes.
	cat >"$out/files/runner/config.sh" <<-END
		#!/bin/sh
		echo "config.sh \$* token=\$ACTIONS_RUNNER_INPUT_TOKEN" >>$out/log
		for file in .runner .credentials .credentials_rsaparams .env .path; do echo x >\$file; chmod 600 \$file; done
	END
	printf '#!/bin/sh\nmkdir -p "$CARGO_HOME/bin"; cp "$0" "$CARGO_HOME/bin/rustup"; echo "rustup-init $*" >>%s/log\n' "$out" >"$out/files/rustup-init"
	chmod +x "$out/files/runner/config.sh"
	touch "$out/files/runner/bin/Runner.Listener" "$out/files/go/bin/go"
	[ ! -d "$out/runner" ] || cp -a "$out/runner/." "$out/files/runner/bin/"
	sed -n 's/^toolchain //p' "$(dirname "$install")/../../scripts/go.mod" >"$out/files/go/VERSION"
	# As in the real one, the files are another user's.
	tar -czf "$out/runner.tar.gz" --owner=1001 --group=1001 -C "$out/files/runner" .
	tar -czf "$out/go.tar.gz" -C "$out/files" go
	cat >/usr/local/sbin/curl <<-END
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
}

sha() { sha256sum "$1" | cut -d' ' -f1; }
