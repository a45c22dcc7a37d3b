package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
)

// ofEachLanguage are servers that bring all the toolchains.
var ofEachLanguage = []string{"go-http", "rust-http", "bun-http"}

// A clone of this project is used as its users use theirs: where its path needs
// quotes, from another folder, without a network, without rights.
func TestLongAClone(t *testing.T) {
	long(t, "5 minutes")
	t.Parallel()
	p := testProject{t, filepath.Join(t.TempDir(), "a b'c")}
	if out, err := exec.Command("git", "clone", "--quiet", "..", p.root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p.must(os.Mkdir(p.temp(), 0o755))
	loaded := func(dir string, servers int) {
		t.Helper()
		records, err := cli.ReadFile(filepath.Join(p.root, dir, recordsFile), record.Read)
		if err != nil || len(records) != servers+1 {
			t.Errorf("%s: %d records, %v; want those of %d servers and direct", dir, len(records), err, servers)
		}
		for _, r := range records {
			if r.Status == record.Invalid {
				t.Errorf("%s: %s: %q", dir, r.Target(), r.Why)
			}
		}
	}
	within := func(args ...string) result {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = p.root, append(os.Environ(), "TMPDIR="+p.temp())
		return p.finish(cmd)
	}
	bench := func(args ...string) result {
		t.Helper()
		return within(append([]string{"scripts/bench"}, args...)...)
	}
	quick := func(dir string, servers ...string) []string {
		return append([]string{"run", "-quick", "-scenario", "baseline", "-rounds", "1", "-o", dir}, servers...)
	}

	bench("setup").expect(t, 0)
	bench(append([]string{"build"}, ofEachLanguage...)...).expect(t, 0)
	bench(quick("raw/first", ofEachLanguage...)...).expect(t, 0)
	loaded("raw/first", 3)
	bench("site", "-history", "none", "-o", "the site", "raw/first/run.jsonl").expect(t, 0, "1 commit, 3 servers", "the site is in the site")
	if t.Failed() {
		return // the output is the same elsewhere
	}

	// Its files are in the folder of the caller.
	elsewhere := t.TempDir()
	p.must(os.Symlink(filepath.Join(p.root, "scripts/bench"), filepath.Join(elsewhere, "bench")))
	cmd := exec.Command("./bench", quick("mine", "go-http")...)
	cmd.Dir, cmd.Env = elsewhere, append(os.Environ(), "TMPDIR="+p.temp())
	p.finish(cmd).expect(t, 0)
	if !exists(filepath.Join(elsewhere, "mine", recordsFile)) {
		t.Error("no records where it was called")
	}

	alone := []string{"unshare", "--net", "sh", "-c", `ip link set lo up && exec scripts/bench "$@"`, "bench"}
	if within("unshare", "--net", "ip", "link", "set", "lo", "up").status == 0 {
		within(append(alone, quick("raw/alone", ofEachLanguage...)...)...).expect(t, 0)
		loaded("raw/alone", 3)
		comparison := within(append(alone, "compare", "-quick", "-rounds", "2", "-same", "-base", "HEAD", "-head", "HEAD", "-o", "raw/compare", "go-http")...)
		if comparison.status > 1 || !strings.Contains(comparison.stdout, "go-http") {
			t.Errorf("comparison: exit status %d\n%s%s", comparison.status, comparison.stdout, comparison.stderr)
		}
		p.must(os.RemoveAll(filepath.Join(p.root, "gh-pages/dist")))
		within(append(alone, "site", "-history", "none", "-o", "the site", "raw/alone/run.jsonl")...).expect(t, 0, "1 commit, 3 servers")
	} else {
		t.Log("no right to a network of its own")
	}
	p.nobody(quick("raw/nobody", "go-http"))
	loaded("raw/nobody", 1)
}

// asNobody runs a program as a user who owns only the clone, with the modules of this machine, and a copy of
// our cache.
const asNobody = `set -e
mount -t overlay overlay -o "lowerdir=$(go env GOCACHE),upperdir=$0/upper,workdir=$0/work" "$0/cache"
mount --bind "$(go env GOMODCACHE)" "$0/modules"
exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs env HOME="$0/home" GOCACHE="$0/cache" GOMODCACHE="$0/modules" GOFLAGS= "$@"`

func (p testProject) nobody(args []string) {
	p.Helper()
	if os.Geteuid() != 0 {
		p.Skip("only root can become nobody")
	}
	home := p.TempDir()
	make := func(dir string) {
		p.must(os.MkdirAll(filepath.Join(home, dir), 0o777))
		p.must(os.Chmod(filepath.Join(home, dir), 0o777))
	}
	for _, dir := range []string{"", "upper", "work", "cache", "modules", "home"} {
		make(dir)
	}
	for i := range 256 { // directories of the cache, which it may change here
		make(filepath.Join("upper", string("0123456789abcdef"[i/16])+string("0123456789abcdef"[i%16])))
	}
	p.must(exec.Command("chown", "-R", "65534:65534", p.root, filepath.Join(home, "upper")).Run())
	for _, dir := range []string{p.root, home} {
		for ; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
			p.must(os.Chmod(dir, 0o755))
		}
	}
	cmd := exec.Command("unshare", append([]string{"--mount", "sh", "-c", asNobody, home, "scripts/bench"}, args...)...)
	cmd.Dir, cmd.Env = p.root, append(os.Environ(), "TMPDIR="+p.temp())
	p.finish(cmd).expect(p.T, 0)
	var owner bytes.Buffer
	cmd = exec.Command("find", args[slices.Index(args, "-o")+1], "!", "-uid", "65534")
	cmd.Dir, cmd.Stdout = p.root, &owner
	p.must(cmd.Run())
	if owner.Len() > 0 {
		p.Errorf("files of others:\n%s", owner.String())
	}
}
