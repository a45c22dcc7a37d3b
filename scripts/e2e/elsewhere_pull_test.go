package e2e

import (
	"archive/zip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A forge answers as GitHub does about one pull request, from a clone, and keeps what is written.
type forge struct {
	testProject
	base, head         string
	owner              string // of the repository with the branch
	comments, statuses []string
}

func (f *forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, "/repos/acme/Their_Repo")
	var sent struct{ Body, Context, State, Description string }
	if r.Method == "POST" {
		json.NewDecoder(r.Body).Decode(&sent) // the test sees what is missing
	}
	switch {
	case strings.HasPrefix(path, "/compare/"):
		fmt.Fprintf(w, `{"merge_base_commit": {"sha": %q}}`, f.base) // the client sees a fault
	case strings.HasPrefix(path, "/contents/"):
		text := f.git("show", r.URL.Query().Get("ref")+":"+strings.TrimPrefix(path, "/contents/"))
		fmt.Fprintf(w, `{"content": %q}`, base64.StdEncoding.EncodeToString([]byte(text))) // the client sees a fault
	case path == "/pulls":
		fmt.Fprintf(w, "[%s]", f.pull()) // the client sees a fault
	case path == "/pulls/7":
		fmt.Fprint(w, f.pull()) // the client sees a fault
	case path == "/issues/7/comments" && r.Method == "GET":
		fmt.Fprint(w, "[]") // the client sees a fault
	case path == "/issues/7/comments":
		f.comments = append(f.comments, sent.Body)
	case path == "/statuses/"+f.head:
		f.statuses = append(f.statuses, sent.Context+" "+sent.State+" "+sent.Description)
	default:
		http.NotFound(w, r)
	}
}

func (f *forge) pull() string {
	return fmt.Sprintf(`{"number": 7, "state": "open", "head": {"ref": "topic", "sha": %q, "repo": {"full_name": "%s/Their_Repo"}}, "base": {"ref": "main", "sha": %q}, "user": {"login": "mallory", "type": "User"}}`, f.head, f.owner, f.base)
}

// The commands of compare.yml, in its order: a fork's pull request is measured, and another run reports it.
func TestAPullRequestOfAnotherRepositoryIsMeasuredAndReported(t *testing.T) {
	t.Parallel()
	r, p := theirs(t)
	p.write(".gitignore", "/raw/\n/tmp/\n")
	p.git("init", "-q")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "rig")
	r.write("apps/README", "")
	r.copy("e2e/testdata/wrong", "apps/chat")
	r.write("apps/chat/server.json", `{"workload": "relay", "language": "go", "framework": "none",
		"build": ["go", "build", "-trimpath", "-ldflags=-s", "-o", "bin/server", "."], "run": ["bin/server", "right"], "versions": {"go": ["go", "version"]}}`)
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "one")
	f := &forge{testProject: r, base: r.git("rev-parse", "HEAD"), owner: "mallory"}
	r.write("apps/chat/broken.go", "package main\n\nbroken\n")
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "two")
	f.head = r.git("rev-parse", "HEAD")
	r.git("update-ref", "refs/remotes/origin/main", f.base)
	server := httptest.NewServer(f)
	defer server.Close()
	temp := t.TempDir()
	step := func(event, dir string, args ...string) result {
		t.Helper()
		file := filepath.Join(temp, "event.json")
		text := `{"pull_request": ` + f.pull() + `}`
		run := "31"
		if event == "workflow_run" {
			text = fmt.Sprintf(`{"workflow_run": {"id": 31, "run_attempt": 1, "event": "pull_request", "head_sha": %q, "head_branch": "topic", "head_repository": {"full_name": "mallory/Their_Repo", "owner": {"login": "mallory"}}}}`, f.head)
			run = "32"
		}
		p.must(os.WriteFile(file, []byte(text), 0o644))
		cmd := p.command(args...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, "CI=true", "GITHUB_EVENT_NAME="+event, "GITHUB_EVENT_PATH="+file, "GITHUB_API_URL="+server.URL, "GITHUB_SERVER_URL=https://github.com",
			"GITHUB_REPOSITORY=acme/Their_Repo", "GITHUB_RUN_ID="+run, "GITHUB_RUN_ATTEMPT=1", "GITHUB_REF=refs/pull/7/merge", "GITHUB_SHA="+f.head)
		return p.finish(cmd)
	}

	planned := step("pull_request", r.root, "ci", "plan", "-server", "apps/chat", "-base", "main", "-clone", ".")
	planned.expect(t, 0)
	if got := outputsOf(planned)["server"]; got != "relay.chat" {
		t.Fatalf("server=%s\n%s", got, planned.stdout)
	}
	if machine := step("pull_request", r.root, "doctor", "-short", "-format", "markdown"); !strings.HasPrefix(machine.stdout, "<details><summary>Measured on ") {
		t.Errorf("the machine in the summary:\n%s", machine.stdout)
	}
	raw := filepath.Join(temp, "31-1")
	compared := step("pull_request", r.root, "compare", "-base", f.base, "-head", f.head, "-o", raw, "./apps/chat")
	compared.expect(t, 1, "build: chat@base: done")
	if summary := step("pull_request", r.root, "replay", "-format", "markdown", filepath.Join(raw, recordsFile)); !strings.HasPrefix(summary.stdout, "**relay/chat**: regressed: ") && !strings.HasPrefix(summary.stdout, "**chat**: regressed: ") {
		t.Errorf("summary:\n%s", summary.stdout)
	}
	if len(f.comments)+len(f.statuses) > 0 {
		t.Error("the job that measures wrote to GitHub")
	}

	// The run that reports has the artifact, and nothing else of the pull request.
	artifacts := filepath.Join(temp, "records")
	p.must(os.Mkdir(artifacts, 0o755))
	zipped(t, filepath.Join(artifacts, "records-relay.chat-1.zip"), filepath.Join(raw, recordsFile))
	again := step("workflow_run", temp, "ci", "plan", "-server", "apps/chat", "-base", "main")
	again.expect(t, 0)
	reported := step("workflow_run", temp, "ci", "comment", "-plan", outputsOf(again)["plan"], artifacts)
	reported.expect(t, 0)
	if len(f.comments) != 1 || !strings.HasPrefix(f.comments[0], "<!-- fairstream: apps/chat -->\n<!-- answer about "+f.head) {
		t.Fatalf("comments: %q", f.comments)
	}
	for _, want := range []string{"**relay/chat**: regressed: head fails, base does not", "**These figures are a claim.**", "acme/Their_Repo/actions/runs/31"} {
		if !strings.Contains(f.comments[0], want) {
			t.Errorf("the comment lacks %q:\n%s", want, f.comments[0])
		}
	}
	if len(f.statuses) != 1 || !strings.HasPrefix(f.statuses[0], "fairstream/relay.chat failure claim of a fork: regressed: ") {
		t.Errorf("statuses: %q", f.statuses)
	}
}

// outputsOf reads the outputs of a step.
func outputsOf(r result) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(r.stdout) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		all[name] = value
	}
	return all
}

// zipped makes an artifact of one file.
func zipped(t *testing.T, artifact, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(artifact)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	member, err := z.Create(filepath.Base(file))
	if err == nil {
		_, err = member.Write(text)
	}
	if err = errors.Join(err, z.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
}
