package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The commands of publish.yml, in its order: a commit of another repository's default branch is measured, its history
// is pushed, and the site shows it. The next commit is compared with it.
func TestTheHistoryOfAnotherRepository(t *testing.T) {
	t.Parallel()
	r, p := theirs(t)
	p.pages()
	p.write(".gitignore", "/raw/\n/tmp/\ndist/\nnode_modules/\n")
	p.git("init", "-q")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "rig")
	r.git("branch", "-m", "trunk")
	r.write("apps/README", "")
	r.copy("e2e/testdata/wrong", "apps/chat")
	r.write("apps/chat/server.json", `{"workload": "relay", "language": "go", "framework": "none",
		"build": ["go", "build", "-trimpath", "-ldflags=-s", "-o", "bin/server", "."], "run": ["bin/server", "right"], "versions": {"go": ["go", "version"]}}`)
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "one")
	remote := filepath.Join(t.TempDir(), "remote.git")
	r.must(exec.Command("git", "clone", "-q", "--bare", r.root, remote).Run())
	r.git("remote", "add", "origin", "file://"+remote)
	temp := t.TempDir()
	run := 30
	// published measures the newest commit, as the workflow does, and returns the outputs of plan.
	published := func() map[string]string {
		run++
		head := r.git("rev-parse", "HEAD")
		r.git("push", "-q", "origin", "trunk")
		r.git("fetch", "-q", "origin")
		event := filepath.Join(temp, "event.json")
		r.must(os.WriteFile(event, []byte(`{"repository": {"default_branch": "trunk", "name": "Their_Repo"}}`), 0o644))
		step := func(args ...string) result {
			t.Helper()
			cmd := p.command(args...)
			cmd.Dir = r.root
			cmd.Env = append(cmd.Env, "CI=true", "GITHUB_EVENT_NAME=push", "GITHUB_EVENT_PATH="+event, "GITHUB_API_URL=http://127.0.0.1:1", "GITHUB_SERVER_URL=https://github.com",
				"GITHUB_REPOSITORY=acme/Their_Repo", fmt.Sprint("GITHUB_RUN_ID=", run), "GITHUB_RUN_ATTEMPT=1", "GITHUB_REF=refs/heads/trunk", "GITHUB_SHA="+head)
			return p.finish(cmd)
		}
		planned := step("ci", "plan", "-publish", "-server", "apps/chat", "-clone", ".")
		planned.expect(t, 0)
		outputs := outputsOf(planned)
		if outputs["server"] != "relay.chat" {
			t.Fatalf("plan:\n%s\n%s", planned.stdout, planned.stderr)
		}
		name := fmt.Sprintf("%d-1", run)
		raw := filepath.Join(temp, "run", name)
		step("run", "-at", head, "-rounds", "2", "-o", raw, "-scenario", "steady", "./apps/chat").expect(t, 0)
		artifacts := filepath.Join(temp, name)
		r.must(os.Mkdir(artifacts, 0o755))
		zipped(t, filepath.Join(artifacts, "records-relay.chat-1.zip"), filepath.Join(raw, recordsFile))
		if outputs["comparisons"] != "[]" {
			raw := filepath.Join(temp, "comparison", name)
			step("compare", "-base", "HEAD~1", "-head", head, "-rounds", "12", "-once", "-o", raw, "./apps/chat").expect(t, 0)
			zipped(t, filepath.Join(artifacts, "records-comparison.relay.chat-1.zip"), filepath.Join(raw, recordsFile))
		}
		out := filepath.Join(temp, "out")
		collected := step("ci", "check", "-plan", outputs["plan"], "-clone", ".", "-o", out, artifacts)
		collected.expect(t, 0)
		if outputsOf(collected)["records"] != "true" {
			t.Fatalf("check:\n%s\n%s", collected.stdout, collected.stderr)
		}
		step("ci", "push", "-plan", outputs["plan"], "-clone", ".", out).expect(t, 0, "is on gh-pages")
		r.git("fetch", "-q", "origin")
		return outputs
	}
	if first := published(); first["comparisons"] != "[]" {
		t.Errorf("the first commit is compared: %s", first["comparisons"])
	}
	base := r.git("rev-parse", "HEAD")
	r.write("README", "no other program\n")
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "two")
	if second := published(); !strings.Contains(second["comparisons"], base) {
		t.Errorf("the second commit is compared with %s, want %s", second["comparisons"], base)
	}
	files := r.git("ls-tree", "-r", "--name-only", "refs/remotes/origin/gh-pages")
	if strings.Count(files, "runs/") != 2 || strings.Count(files, "events/") != 1 {
		t.Errorf("the branch has\n%s", files)
	}
	site := filepath.Join(temp, "site")
	cmd := p.command("site", "-clone", ".", "-history", "refs/remotes/origin/gh-pages", "-o", site)
	cmd.Dir = r.root
	cmd.Env = append(cmd.Env, "GITHUB_SERVER_URL=https://github.com", "GITHUB_REPOSITORY=acme/Their_Repo")
	p.finish(cmd).expect(t, 0, "site: 2 commits, 1 server")
	manifest, err := os.ReadFile(filepath.Join(site, "data", "manifest.json"))
	r.must(err)
	if !strings.Contains(string(manifest), `"repository":"https://github.com/acme/Their_Repo"`) {
		t.Errorf("the site is of another repository:\n%.600s", manifest)
	}
}
