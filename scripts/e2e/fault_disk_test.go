package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fullDisk is a directory of the project on a disk of its own, and what fills it.
func (p testProject) fullDisk() (dir string, fill func()) {
	p.Helper()
	dir = filepath.Join(p.root, "disk")
	p.must(os.Mkdir(dir, 0o777))
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
		p.Skip("it takes the right to mount: ", err)
	}
	p.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }) // the machine's end does it too
	return dir, func() {
		f, err := os.Create(filepath.Join(dir, "filling"))
		p.must(err)
		block := make([]byte, 4096)
		for err == nil {
			_, err = f.Write(block)
		}
		p.must(f.Close())
	}
}

// A site that finds no room leaves the one that was there, and nothing beside it.
func TestASiteOnAFullDisk(t *testing.T) {
	t.Parallel()
	p := publishedProject(t)
	dir, fill := p.fullDisk()
	p.bench("site", "-o", "disk/site").expect(t, 0)
	before := p.tree("disk/site")
	fill()
	p.bench("site", "-history", "none", "-o", "disk/site", "run.jsonl").expect(t, 3, "no space left on device; free some space, or name another directory with -o")
	if p.tree("disk/site") != before {
		t.Error("the old site is gone")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("on the disk: %v, %v; want the site and what fills it", left, err)
	}
}

// A history that finds no room to make its commit leaves the branch, and is had by the
// same command later.
func TestAHistoryOnAFullDisk(t *testing.T) {
	t.Parallel()
	p := newPublished(t)
	dir, fill := p.fullDisk()
	commit := p.commit("first", "2026-11-01T00:00:00Z")
	p.artifacts(map[string]string{"relay.go-http": p.trendRun("go-http", commit, 0.9), "relay.go-gin": p.trendRun("go-gin", commit, 0.8)})
	fill()
	p.bench("ci", "check", "-plan", p.plan(commit), "-o", "disk/out", "artifacts").expect(t, 3, "no space left on device")
	p.bench("ci", "check", "-plan", p.plan(commit), "-o", "out", "artifacts").expect(t, 0)
	p.action(commit)
	cmd := p.command("ci", "push", "-plan", p.plan(commit), "out")
	cmd.Env = append(cmd.Env, "GITHUB_RUN_ID=77", "GITHUB_RUN_ATTEMPT=1", "GITHUB_REPOSITORY=acme/toy", "GITHUB_TOKEN=", "TMPDIR="+dir)
	if r := p.finish(cmd); r.status != 3 || !strings.Contains(strings.ToLower(r.stderr), "no space left on device") {
		t.Errorf("history: exit status %d\n%s", r.status, r.stderr)
	}
	if got := p.git("origin.git", "for-each-ref", "refs/heads/gh-pages"); got != "" {
		t.Errorf("there is a branch: %s", got)
	}
	p.history(commit, "1").expect(t, 0, commit+"-77-1.jsonl is on gh-pages (tries: 1)")
}
