package e2e

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without git nothing is said about commits. "No server differs" would be wrong when nobody looked.
func TestWithoutGitNoCommitsAreShown(t *testing.T) {
	t.Parallel()
	p := publishedProject(t)
	path := "PATH=" + pathWithout(t, "git")
	for _, args := range []string{"compare -base main -head gh-pages", "site -o site", "run -at main"} {
		cmd := p.command(strings.Fields(args)...)
		cmd.Env = append(cmd.Env, path)
		if r := p.finish(cmd); r.status < 2 || !strings.Contains(r.stderr, "git: no such program") || r.stdout != "" {
			t.Errorf("%s: exit status %d\n%s%s", args, r.status, r.stdout, r.stderr)
		}
	}
	if exists(filepath.Join(p.root, "site")) {
		t.Error("there is a site")
	}
	if isLong { // takes half a minute
		p.copy("../servers/relay/go-http", "servers/relay/go-http")
		p.proveReachesItsPilot(path)
	}
	// A directory that was never a clone has no commits to lose.
	p.must(os.RemoveAll(filepath.Join(p.root, ".git")))
	p.bench("site", "-o", "site", "run.jsonl").expect(t, 0, "1 commit,")
}

// proveReachesItsPilot begins trials, which know of no commit, until they load.
func (p testProject) proveReachesItsPilot(environment ...string) {
	p.Helper()
	cmd := p.command("prove", "-same", "0", "-edits", "0", "-injected", "cpu=3", "-trials", "1", "-o", "proved")
	cmd.Env = append(cmd.Env, environment...)
	stderr, err := cmd.StderrPipe()
	p.must(err)
	p.must(cmd.Start())
	var said []string
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if said = append(said, lines.Text()); strings.HasPrefix(lines.Text(), "prove: a pilot") {
			p.must(cmd.Process.Signal(os.Interrupt))
		}
	}
	_ = cmd.Wait() // its status is looked at
	if status := cmd.ProcessState.ExitCode(); status != 130 {
		p.Errorf("prove: exit status %d\n%s", status, strings.Join(said, "\n"))
	}
	p.leftovers()
}
