package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
)

// theirs is a git repository of somebody else, beside the project's. It has no server yet.
func theirs(t *testing.T) (r testProject, p testProject) {
	t.Helper()
	p = newProject(t)
	r = testProject{t, filepath.Join(t.TempDir(), "Their_Repo")}
	p.must(os.Mkdir(r.root, 0o755))
	r.git("init", "-q", "-b", "main")
	return r, p
}

// in runs the project's tool in another directory.
func (p testProject) in(dir string, args ...string) result {
	p.Helper()
	cmd := p.command(args...)
	cmd.Dir = dir
	return p.finish(cmd)
}

// A server deep in another repository is built with files outside of its directory, as they were at each revision.
func TestComparisonOfAServerInAnotherRepository(t *testing.T) {
	t.Parallel()
	r, p := theirs(t)
	r.write("apps/README", "") // makes the directory
	r.copy("e2e/testdata/wrong", "apps/chat")
	r.write("apps/chat/server.json", `{"workload": "relay", "language": "go", "framework": "none",
		"build": ["go", "build", "-trimpath", "-ldflags=-s", "-o", "bin/server", "."], "run": ["bin/server", "right"], "versions": {"go": ["go", "version"]}}`)
	r.write("lib/go.mod", "module example.org/lib\n\ngo 1.26.0\n")
	r.write("lib/lib.go", "package lib\n")
	r.write("apps/chat/lib.go", "package main\n\nimport _ \"example.org/lib\"\n")
	edit := exec.Command("go", "mod", "edit", "-require", "example.org/lib@v0.0.0", "-replace", "example.org/lib=../../lib")
	edit.Dir = filepath.Join(r.root, "apps/chat")
	r.must(edit.Run())
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "one")
	base := r.git("rev-parse", "HEAD")
	r.write("lib/lib.go", "package lib\n\nbroken\n")
	r.git("commit", "-q", "-am", "two")
	head := r.git("rev-parse", "HEAD")
	r.write("lib/lib.go", "not committed")

	out := p.in(r.root, "compare", "-quick", "-rounds", "2", "-base", base, "apps/chat")
	out.expect(t, 1, "has uncommitted changes; they are not measured", "copied "+r.root+" at base, "+base[:10]+": ", "build: chat@base: done")
	if !strings.HasPrefix(out.stdout, "chat  regressed: head fails, base does not: ") || !strings.Contains(out.stdout, "lib/lib.go:3:1: syntax error") {
		t.Errorf("stdout:\n%s", out.stdout)
	}
	found, err := filepath.Glob(filepath.Join(r.root, "raw/*", recordsFile))
	p.must(err)
	if len(found) != 1 {
		t.Fatalf("records: %q", found)
	}
	records := testfile.Read(p, found[0], record.Read)
	commits := map[string]string{"base": base, "head": head}
	for _, rec := range records {
		if rec.Server.Name == raw.Direct {
			continue
		}
		if want := commits[rec.Server.Side]; *rec.Server.Commit != want || *rec.Server.Tree != r.git("rev-parse", want+"^{tree}") || rec.ID().String() != "relay/chat" {
			t.Errorf("server %+v; want chat of commit %s, and the tree of its repository", rec.Server, want)
		}
	}
	if status := r.git("status", "--porcelain"); status != "M lib/lib.go" {
		t.Errorf("their repository is not as before:\n%s", status)
	}

	// A name without a slash is a server of the project.
	p.in(filepath.Join(r.root, "apps"), "compare", "-base", base, "chat").expect(t, 2)
	p.in(r.root, "compare").expect(t, 2, "this directory belongs to the repository "+r.root, "name the server's directory, such as ./server or .")
}
