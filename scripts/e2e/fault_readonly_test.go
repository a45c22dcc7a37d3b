package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A checkout that cannot be written says so, and what helps; what writes nothing
// there works.
func TestAReadOnlyCheckout(t *testing.T) {
	t.Parallel()
	p := publishedProject(t)
	p.bench("site", "-history", "none", "-o", "built", "run.jsonl").expect(t, 0)
	p.copy("bench", "scripts/bench")
	p.write("scripts/go.mod", "module example.org/tool\n\ngo 1.26\n")
	p.write("scripts/main.go", "package main\n\nfunc main() {}\n")
	p.write("servers/relay/x/server.json", `{"workload": "relay", "language": "go", "framework": "none", "build": ["touch", "built"], "run": ["x"], "versions": {"go": ["echo", "1.0"]}}`)
	p.git("add", "servers")
	p.git("commit", "--quiet", "-m", "a server")
	p.write("elsewhere/file", "")
	const mount = `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && exec "$@"`
	bench := filepath.Join(p.root, "scripts/bin/bench")
	run := func(args ...string) result {
		p.Helper()
		cmd := exec.Command("unshare", append([]string{"--mount", "sh", "-c", mount, p.root}, args...)...)
		cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
		return p.finish(cmd)
	}
	if r := run("true"); r.status != 0 {
		t.Skipf("no right to mount: %s", r.stderr)
	}
	run(bench, "run").expect(t, 2, "bench: run: mkdir raw: read-only file system; name a directory that can be written with -o")
	run(bench, "prove").expect(t, 2, "bench: prove: mkdir raw: read-only file system; name a directory that can be written with -o")
	run(bench, "compare", "-same", "-base", "HEAD", "x").expect(t, 2, "bench: run: mkdir raw: read-only file system; name a directory that can be written with -o")
	run(bench, "site", "-history", "none", "-o", "site", "run.jsonl").expect(t, 2, "bench: site: -o ", "read-only file system; name another directory")
	// The pages are built already, and the site comes elsewhere.
	site := filepath.Join(t.TempDir(), "site")
	run(bench, "site", "-history", "none", "-o", site, "run.jsonl").expect(t, 0, "1 commit,", "the site is in "+site)
	run(bench, "build").expect(t, 1, "touch", "Read-only file system")
	run(filepath.Join(p.root, "scripts/bench"), "list").expect(t, 3, "read-only file system", "bench: not built, as go says above; it needs a clone that can be written")
	if r := run(bench, "list"); r.status != 0 || !strings.Contains(r.stdout, "server    relay/x") {
		t.Errorf("list: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}
