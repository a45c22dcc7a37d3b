package machines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPcWkNqeMOsT0I0W5jPZRoSYqXVOvqCCGIpB5wOSfJ3D"

func TestFilesOfMachines(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"load": {}}`, `load.ssh is ""; want USER@HOST`},
		{`{"load": {"ssh": "-oProxyCommand=x@y", "host_key": "` + key + `"}}`, "want USER@HOST"},
		{`{"load": {"ssh": "a@b", "host_key": "none"}}`, "load.host_key is"},
		{`{"load": {"ssh": "a@b", "host_key": "` + key + `", "port": 70000}}`, "load.port is 70000"},
		{`{"load": {"ssh": "a@b", "host_key": "` + key + `", "k6": 9}}`, "load.k6 is 9; want 1 to 8"},
		{`{"load": {"ssh": "a@b", "host_key": "` + key + `", "address": "10.0.0.2"}, "servers": {"address": "0.0.0.0"}}`, `servers.address is "0.0.0.0"; want the IPv4 address`},
		{`{"load": {"ssh": "a@b", "host_key": "` + key + `", "address": "10.0.0.2"}, "servers": {"address": "192.0.2.7"}}`, "servers.address is 192.0.2.7, which this machine does not have; it has 127.0.0.1"},
		{`{"load": {"ssh": "a@b", "keys": 1}}`, `unknown field "keys"; want such as {"load"`},
		{`[`, "unexpected EOF"},
	} {
		path := filepath.Join(t.TempDir(), "machines.json")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: %v; want %q", c.text, err, c.want)
		}
	}
}

func TestArgumentsStayWords(t *testing.T) {
	if got, want := shell(`echo "$1"`, "a b", "it's $HOME; rm"), `exec sh -c 'echo "$1"' sh 'a b' 'it'\''s $HOME; rm'`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The rig has one hash, whenever it is packed.
func TestTheRigIsPackedAlike(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"k6/bin/k6", "stub/bin/stub", "k6/lib/slices.js", "k6/relay/compare.js", "k6/relay/stream_test.js"} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	one, err := pack(root, filepath.Join(t.TempDir(), "a.tar"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, "k6/relay/stream_test.js")); err != nil {
		t.Fatal(err)
	}
	if two, err := pack(root, filepath.Join(t.TempDir(), "b.tar")); err != nil || one != two {
		t.Errorf("%s and %s, %v", one, two, err)
	}
	if err := os.Remove(filepath.Join(root, "k6/bin/k6")); err != nil {
		t.Fatal(err)
	}
	if _, err := pack(root, filepath.Join(t.TempDir(), "c.tar")); err == nil || !strings.Contains(err.Error(), "run `scripts/bench setup`") {
		t.Errorf("%v", err)
	}
}
