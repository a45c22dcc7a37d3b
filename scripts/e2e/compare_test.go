package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/testrepo"
)

// git runs git in the project and returns what it printed.
func (p testProject) git(args ...string) string {
	p.Helper()
	return testrepo.Git(p, p.root, args...)
}

func (p testProject) commit() string {
	p.Helper()
	p.git("add", "-A", "servers")
	p.git("commit", "-q", "-m", "change")
	return p.git("rev-parse", "HEAD")
}

// A comparison loads the code of two commits, whatever the working copy has, and
// says of each record which it is of.
func TestComparisonLoadsTwoRevisions(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.git("init", "-q", "-b", "main")
	p.wrong("right")
	p.must(os.Rename(filepath.Join(p.root, "servers/relay/right"), filepath.Join(p.root, "servers/relay/changed")))
	base := p.commit()
	manifest := filepath.Join(p.root, "servers/relay/changed/server.json")
	text, err := os.ReadFile(manifest)
	p.must(err)
	p.write("servers/relay/changed/server.json", strings.Replace(string(text), `"right"`, `"buffers-4k"`, 1))
	head := p.commit()
	p.write("servers/relay/changed/server.json", "not committed, and broken")

	r := p.bench("compare", "-quick", "-rounds", "2", "-base", base, "-o", "out")
	r.expect(t, 1, "build: changed@base: done", "build: changed@head: done")
	records := testfile.Read(p, filepath.Join(p.root, "out", recordsFile), record.Read)
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
		if rec.Server.Commit == nil || *rec.Server.Commit != commits[rec.Target()] || *rec.Server.Tree != p.git("rev-parse", *rec.Server.Commit+":servers/relay/changed") {
			t.Errorf("%s: server %+v, want commit %s", rec.Target(), rec.Server, commits[rec.Target()])
		}
		if want := map[string]record.Status{"base": record.OK, "head": record.Invalid}[rec.Server.Side]; rec.Status != want && !(want == record.OK && rec.Status == record.Warning) { // a busy machine casts warnings of its own
			t.Errorf("%s: %s %q, want %s", rec.Target(), rec.Status, rec.Why, want)
		}
	}
	if answers := verdict.Compare(records); len(answers) != 1 || answers[0].Verdict != verdict.Regressed {
		t.Errorf("answers %+v; want one, regressed", answers)
	}

	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-base", base, "-rounds", "1"}, "-rounds 1: want 2 or more"},
		{[]string{"-base", base, "-shared-by", "-8"}, "-shared-by -8: want the number of servers, 1 or more"},
	} {
		p.bench(append([]string{"compare"}, c.args...)...).expect(t, 2, c.want)
	}
	for _, args := range [][]string{{"run", "-at", "HEAD", "-o", "other"}, {"compare", "-base", base}} {
		p.bench(append(args, "absent")...).expect(t, 2, `server "absent": not in revision `, "known there are relay/changed")
	}
}

// The same command continues an interrupted comparison, and counts its finished rounds. Its records alone
// give the same verdicts.
func TestLongComparisonGoesOnWhereItWasInterrupted(t *testing.T) {
	long(t, "2 minutes")
	t.Parallel()
	p := newProject(t)
	p.git("init", "-q", "-b", "main")
	p.copy("../servers/relay/go-http", "servers/relay/go-http")
	base := p.commit()
	p.write("servers/relay/go-http/main.go", strings.Replace(p.text("servers/relay/go-http/main.go"), "16 << 20", "15 << 20", 1))
	head := p.commit()
	p.write("servers/relay/go-http/main.go", "not committed")

	comparison := []string{"compare", "-quick", "-rounds", "2", "-base", base, "-head", head, "-o", "out"}
	cmd := p.command(comparison...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	p.must(cmd.Start())
	first := filepath.Join(p.root, "out", "1", "compare", raw.FactsFile)
	for deadline := time.Now().Add(3 * time.Minute); !exists(first) && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(2 * time.Second)
	cmd.Process.Signal(syscall.SIGINT)
	cmd.Wait()
	p.leftovers()
	if status := cmd.ProcessState.ExitCode(); status != 130 || !strings.Contains(stderr.String(), "the same command with -o out goes on") || !strings.Contains(stderr.String(), "servers/relay/go-http has changes that are not committed") {
		t.Errorf("interrupted: exit status %d\n%s", status, stderr.String())
	}
	before, err := os.ReadFile(first)
	p.must(err)

	p.bench("compare", "-quick", "-rounds", "2", "-base", head, "-head", head, "-same", "-o", "out", "go-http").expect(t, 2, "out: holds another run, whose run.json differs in \"same\", so it cannot be continued")
	r := p.bench(comparison...)
	if after, err := os.ReadFile(first); err != nil || string(after) != string(before) {
		t.Errorf("the first round was loaded again: %v\n%s\n%s", err, before, after)
	}
	if r.status > 1 || !strings.HasPrefix(r.stdout, "go-http  ") || !exists(filepath.Join(p.root, "out", "2", "compare", raw.FactsFile)) {
		t.Errorf("gone on with: exit status %d\n%s\n%s", r.status, r.stdout, r.stderr)
	}
	if again := p.bench("replay", "out/run.jsonl"); again.stdout != r.stdout || again.status != r.status {
		t.Errorf("replayed, exit status %d:\n%s\nwant %d:\n%s", again.status, again.stdout, r.status, r.stdout)
	}
	if again := p.bench("replay", "-format", "markdown", "out/run.jsonl"); !strings.HasPrefix(again.stdout, "**go-http**: ") {
		t.Errorf("as markdown:\n%s", again.stdout)
	}

	// Records without a verdict.
	text, err := os.ReadFile(filepath.Join(p.root, "out", recordsFile))
	p.must(err)
	p.write("run/run.jsonl", strings.NewReplacer(`"side":"base"`, `"side":""`, `"side":"head"`, `"side":""`).Replace(string(text)))
	p.bench("replay", "run/run.jsonl").expect(t, 2, "these records come from separate runs")
	p.write("alone/run.jsonl", string(text)) // records are enough
	if alone := p.bench("replay", "alone/run.jsonl"); alone.stdout != r.stdout || alone.status != r.status {
		t.Errorf("alone, exit status %d:\n%s\nwant %d:\n%s", alone.status, alone.stdout, r.status, r.stdout)
	}
	p.write("other/run.jsonl", strings.ReplaceAll(string(text), `"rig":"`, `"rig":"f`))
	p.bench("replay", "out/run.jsonl", "other/run.jsonl").expect(t, 2, "another machine or rig measured it")
	p.write("later/run.jsonl", strings.ReplaceAll(string(text), `"id":"out"`, `"id":"later"`))
	p.bench("replay", "out/run.jsonl", "later/run.jsonl").expect(t, 2, "replay one comparison at a time")
	p.bench("replay").expect(t, 2, "want files of records")
}

// A second comparison confirms a regression, and a third finds which of two commits made it.
func TestComparisonConfirmsARegressionAndFindsItsCommit(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.git("init", "-q", "-b", "main")
	p.wrong("right")
	p.must(os.Rename(filepath.Join(p.root, "servers/relay/right"), filepath.Join(p.root, "servers/relay/blamed")))
	base := p.commit()
	p.write("servers/relay/blamed/NOTES", "harmless")
	harmless := p.commit()
	manifest := filepath.Join(p.root, "servers/relay/blamed/server.json")
	text, err := os.ReadFile(manifest)
	p.must(err)
	p.write("servers/relay/blamed/server.json", strings.Replace(string(text), `"right"`, `"buffers-4k"`, 1))
	head := p.commit()
	r := p.bench("compare", "-quick", "-rounds", "2", "-confirm", "-bisect", "-base", base, "-o", "out")
	r.expect(t, 1, "comparison: a regression; a second comparison confirms it, in out/out-confirm", "comparison: blamed: is it worse at "+harmless[:12]+" already?")
	if !strings.Contains(r.stdout, "blamed  regressed by "+head) {
		t.Errorf("stdout does not blame %s:\n%s", head, r.stdout)
	}
	for _, dir := range []string{"out", "out/out-confirm", "out/out-" + harmless[:12]} {
		records := testfile.Read(p, filepath.Join(p.root, dir, recordsFile), record.Read)
		if len(records) == 0 || records[0].Run.ID != filepath.Base(dir) {
			t.Errorf("%s: %d records", dir, len(records))
		}
	}
}
