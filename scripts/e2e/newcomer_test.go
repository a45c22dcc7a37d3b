package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What goes wrong in the first hour with one's own server: each error says what is wrong and what to do next.
func TestErrorsOfANewcomer(t *testing.T) {
	t.Parallel()
	r, p := theirs(t)
	const manifest = `{"workload": "relay", "language": "go", "framework": "none", "build": ["sh", "-c", %q], "run": ["sleep", "60"], "versions": {"go": ["echo", "1.0"]}}`
	r.write("build/server.json", fmt.Sprintf(manifest, "echo main.go:3: no such thing >&2; exit 2"))
	r.write("silent/server.json", fmt.Sprintf(manifest, "true"))
	r.write("none/main.go", "package main\n")
	for dir, c := range map[string]struct {
		status int
		want   []string
	}{
		"none":    {2, []string{"none", "server.json"}},
		"nowhere": {2, []string{"nowhere: no such directory", "server.json"}},
		"build":   {1, []string{"no such thing"}},
		"silent":  {1, []string{"/healthz"}},
	} {
		// One after the other: a command has the checkout to itself.
		out := p.in(r.root, "verify", "./"+dir)
		for _, want := range c.want {
			if out.status != c.status || !strings.Contains(out.stdout+out.stderr, want) {
				t.Errorf("%s: exit status %d, want %d, and %q:\n%s\n%s", dir, out.status, c.status, want, out.stdout, out.stderr)
			}
		}
	}
}

// Without fetch-depth: 0 a checkout lacks base.
func TestAPullRequestInAShallowCheckout(t *testing.T) {
	t.Parallel()
	r, p := theirs(t)
	r.write("server.json", "")
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "one")
	f := &forge{testProject: r, base: r.git("rev-parse", "HEAD")}
	r.git("commit", "-q", "--allow-empty", "-m", "two")
	f.head = r.git("rev-parse", "HEAD")
	temp := t.TempDir()
	shallow := filepath.Join(temp, "shallow")
	r.git("clone", "-q", "--depth=1", "file://"+r.root, shallow)
	event := filepath.Join(temp, "event.json")
	p.must(os.WriteFile(event, []byte(`{"pull_request": `+f.pull()+`}`), 0o644))
	cmd := p.command("ci", "plan", "-server", ".", "-clone", ".")
	cmd.Dir = shallow
	cmd.Env = append(cmd.Env, "GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH="+event, "GITHUB_API_URL=http://127.0.0.1:9", "GITHUB_REPOSITORY=acme/Their_Repo")
	out := p.finish(cmd)
	if out.status == 0 || !strings.Contains(out.stderr, "give actions/checkout `fetch-depth: 0`") {
		t.Errorf("exit status %d:\n%s", out.status, out.stderr)
	}
}

// The script that builds the tool needs Go, and nothing else can say so.
func TestWithoutGo(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs("bench")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(script, "init", ".")
	cmd.Env = []string{"PATH=" + pathWithout(t, "go")}
	out, _ := cmd.CombinedOutput() // its status is looked at
	if status := cmd.ProcessState.ExitCode(); status != 3 || !strings.HasPrefix(string(out), "bench: go: not found; install Go ") {
		t.Errorf("exit status %d:\n%s", status, out)
	}
}
