package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/compare"
	"fairstream/scripts/raw"
	"fairstream/scripts/record"
)

// git runs git in the project and returns what it printed.
func (p testProject) git(args ...string) string {
	p.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = p.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (p testProject) commit() string {
	p.Helper()
	p.git("add", "-A", "servers")
	p.git("commit", "-q", "-m", "change")
	return p.git("rev-parse", "HEAD")
}

// A pair loads the code of two commits, whatever the working copy has, and
// says of each record which it is of.
func TestPairLoadsTwoRevisions(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.git("init", "-q", "-b", "main")
	p.wrong("right")
	p.must(os.Rename(filepath.Join(p.root, "servers/right"), filepath.Join(p.root, "servers/changed")))
	base := p.commit()
	manifest := filepath.Join(p.root, "servers/changed/server.json")
	text, err := os.ReadFile(manifest)
	p.must(err)
	p.write("servers/changed/server.json", strings.Replace(string(text), `"right"`, `"buffers-4k"`, 1))
	head := p.commit()
	p.write("servers/changed/server.json", "not committed, and broken")

	r := p.bench("pair", "-quick", "-rounds", "2", "-base", base, "-o", "out")
	r.expect(t, 1, "build: changed@base: done", "build: changed@head: done")
	f, err := os.Open(filepath.Join(p.root, "out", recordsFile))
	p.must(err)
	defer f.Close()
	records, err := record.Read(f)
	p.must(err)
	commits := map[string]string{"changed@base": base, "changed@head": head}
	if want := 3 * 4; len(records) != want { // a round, since nothing is left to decide
		t.Fatalf("%d records, want %d:\n%s", len(records), want, r.stdout)
	}
	for _, rec := range records {
		if rec.Server.Name == raw.Direct {
			if rec.Server.Commit != nil || rec.Server.Side != "" {
				t.Errorf("direct has server %+v", rec.Server)
			}
			continue
		}
		if rec.Server.Commit == nil || *rec.Server.Commit != commits[rec.Target()] || *rec.Server.Tree != p.git("rev-parse", *rec.Server.Commit+":servers/changed") {
			t.Errorf("%s: server %+v, want commit %s", rec.Target(), rec.Server, commits[rec.Target()])
		}
		if want := map[string]record.Status{"base": record.OK, "head": record.Invalid}[rec.Server.Side]; rec.Status != want && !(want == record.OK && rec.Status == record.Suspect) { // a busy machine casts doubts of its own
			t.Errorf("%s: %s %q, want %s", rec.Target(), rec.Status, rec.Why, want)
		}
	}
	if answers := compare.Compare(records, nil); len(answers) != 1 || answers[0].Verdict != compare.Regressed {
		t.Errorf("answers %+v; want one, regressed", answers)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "fairstream-code-*", "*", "servers", "changed")); left != nil {
		t.Errorf("left: %v", left)
	}

	if r := p.bench("pair", "-base", head, "-head", head); r.status != 0 || !strings.Contains(r.stdout, "identical: no server differs between") {
		t.Errorf("a commit and itself: exit status %d, %s", r.status, r.stdout)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-base", "nowhere"}, `revision "nowhere": not in this repository`},
		{[]string{"-base", base, "../changed"}, `server "../changed": want the name of a directory of servers/`},
		{[]string{"-base", base, "-rounds", "0"}, "-rounds 0: want 1 or more"},
	} {
		p.bench(append([]string{"pair"}, c.args...)...).expect(t, 2, c.want)
	}
	p.bench("run", "-at", "HEAD", "-o", "other", "absent").expect(t, 1)
}

// A regression is found again by a second pair, and of two commits that which
// brought it.
func TestPairConfirmsARegressionAndFindsItsCommit(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.git("init", "-q", "-b", "main")
	p.wrong("right")
	p.must(os.Rename(filepath.Join(p.root, "servers/right"), filepath.Join(p.root, "servers/changed")))
	base := p.commit()
	p.write("servers/changed/NOTES", "harmless")
	harmless := p.commit()
	manifest := filepath.Join(p.root, "servers/changed/server.json")
	text, err := os.ReadFile(manifest)
	p.must(err)
	p.write("servers/changed/server.json", strings.Replace(string(text), `"right"`, `"buffers-4k"`, 1))
	head := p.commit()
	r := p.bench("pair", "-quick", "-rounds", "2", "-confirm", "-bisect", "-base", base, "-o", "out")
	r.expect(t, 1, "pair: a regression; a second pair in out/out-confirm is to confirm it", "pair: changed: is it worse at "+harmless[:12]+" already?")
	if !strings.Contains(r.stdout, "changed  regressed by "+head) {
		t.Errorf("stdout does not blame %s:\n%s", head, r.stdout)
	}
	for _, dir := range []string{"out", "out/out-confirm", "out/out-" + harmless[:12]} {
		f, err := os.Open(filepath.Join(p.root, dir, recordsFile))
		p.must(err)
		records, err := record.Read(f)
		p.must(err)
		p.must(f.Close())
		if len(records) == 0 || records[0].Run.ID != filepath.Base(dir) {
			t.Errorf("%s: %d records", dir, len(records))
		}
	}
}
