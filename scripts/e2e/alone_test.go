package e2e

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/files"
)

// Two of us, for which the test holds a lock as the other would.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.wrong("right")
	p.must(os.MkdirAll(filepath.Join(p.root, "out"), 0o755))
	p.write("out/kept", "by the first")
	release, err := files.TryLock(filepath.Join(p.root, "out"))
	p.must(err)
	for _, command := range []string{"run", "soak", "prove"} {
		p.bench(command, "-o", "out").expect(t, 2, "bench: "+map[string]string{"soak": "run"}[command], "out: another scripts/bench works in it; wait for its end, or name another directory with -o")
	}
	p.must(release())
	if text := p.text("out/kept"); text != "by the first" {
		t.Errorf("out/kept has %q", text)
	}
	p.must(os.Remove(filepath.Join(p.root, "out/kept")))
	// It was a directory of the caller's, who gets it back as it was.
	p.bench("run", "-o", "out", "-rounds", "0").expect(t, 2, "-rounds 0")
	if left, err := os.ReadDir(filepath.Join(p.root, "out")); err != nil || len(left) > 0 {
		t.Errorf("out: %v, %v; want it empty", left, err)
	}

	p.git("init", "-q", "-b", "main")
	p.commit()
	release, err = files.TryLock(p.root)
	p.must(err)
	for _, args := range [][]string{{"compare", "-base", "nosuch"}, {"run", "-at", "nosuch"}} { // which cannot be right later
		p.bench(args...).expect(t, 2, `revision "nosuch": not in this repository`)
	}
	cmd := p.command("build")
	stderr, err := cmd.StderrPipe()
	p.must(err)
	p.must(cmd.Start())
	lines := bufio.NewScanner(stderr)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "bench: waiting for another scripts/bench of this checkout to end: ") {
		t.Errorf("stderr begins with %q", lines.Text())
	}
	if exists(filepath.Join(p.root, "servers/relay/right/bin")) {
		t.Error("it was built meanwhile")
	}
	p.must(release())
	for lines.Scan() {
	}
	p.must(cmd.Wait())
	if !exists(filepath.Join(p.root, "servers/relay/right/bin/server")) {
		t.Error("it was not built afterwards")
	}
}
