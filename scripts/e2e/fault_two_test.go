package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
)

// Two commands at the same time in one checkout: a command that loads waits for the other. Two that write to
// one place leave a complete result.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	p := publishedProject(t)
	p.bench("site", "-o", "site").expect(t, 0) // the pages are built
	want := p.tree("site")
	for n := range 2 {
		p.must(os.RemoveAll(filepath.Join(p.root, "site")))
		for _, r := range p.both([]string{"site", "-o", "site"}, []string{"site", "-o", "site"}) {
			r.expect(t, 0, "the site is in site")
		}
		if got := p.tree("site"); got != want {
			t.Errorf("publish, time %d: the site is another", n+1)
		}
	}
	if left, err := filepath.Glob(filepath.Join(p.root, ".site-*")); err != nil || len(left) > 0 {
		t.Errorf("site: left %q, %v", left, err)
	}
	if !isLong {
		return // the rest takes 2 minutes
	}
	p.wrong("right")
	p.git("add", "servers/relay/right/server.json", "servers/relay/right/main.go")
	p.commit()
	run := []string{"run", "-quick", "-scenario", "baseline", "-rounds", "1", "-o"}
	comparison := []string{"compare", "-quick", "-rounds", "2", "-same", "-base", "HEAD", "-head", "HEAD", "-o"}
	for name, command := range map[string][]string{"run": run, "compare": comparison} {
		waited := 0
		var began [2]time.Time
		dirs := []string{name + "1", name + "2"}
		for i, r := range p.both(append(command, dirs[0]), append(command, dirs[1])) {
			if r.status > 1 || name == "run" && r.status > 0 {
				t.Errorf("%s: exit status %d\n%s", name, r.status, r.stderr)
			}
			if strings.Contains(r.stderr, "waiting for another scripts/bench of this checkout to end") {
				waited++
			}
			records, err := cli.ReadFile(filepath.Join(p.root, dirs[i], recordsFile), record.Read)
			if err != nil || len(records) == 0 {
				t.Fatalf("%s: %d records, %v", name, len(records), err)
			}
			began[i] = records[0].Started
		}
		if apart := began[0].Sub(began[1]).Abs(); waited != 1 || apart < 3*time.Second {
			t.Errorf("%s: %d waited, and their loads began %v apart; want one, and the other's load before", name, waited, apart)
		}
	}
}

// both runs two commands at once.
func (p testProject) both(a, b []string) (results [2]result) {
	p.Helper()
	var commands [2]*exec.Cmd
	var stdout, stderr [2]bytes.Buffer
	for i, args := range [][]string{a, b} {
		commands[i] = p.command(args...)
		commands[i].Stdout, commands[i].Stderr = &stdout[i], &stderr[i]
		p.must(commands[i].Start())
	}
	for i, cmd := range commands {
		_ = cmd.Wait() // its status is looked at
		results[i] = result{stdout[i].String(), stderr[i].String(), cmd.ProcessState.ExitCode()}
	}
	p.leftovers()
	return results
}
