package compare

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/testrepo"
	"fairstream/scripts/internal/workload"
)

const serverJSON = `{"workload": "relay", "language": "sh", "framework": "none", "build": ["true"], "run": ["./source"], "versions": {"sh": ["echo", "1.0"]}}`

// A theirs is somebody else's git repository.
type theirs struct {
	*testing.T
	dir string
}

func newTheirs(t *testing.T) theirs {
	r := theirs{t, filepath.Join(t.TempDir(), "Their_Repo")}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r theirs) git(args ...string) string {
	r.Helper()
	return testrepo.Git(r, r.dir, args...)
}

func (r theirs) write(path, text string) {
	r.Helper()
	testfile.Write(r, filepath.Join(r.dir, path), text)
}

func (r theirs) commit() string {
	r.Helper()
	return testrepo.Commit(r, r.dir)
}

// compared runs a comparison up to its load, which none of these tests reaches.
func (r theirs) compared(base string, dirs ...string) error {
	r.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		r.Fatal(err)
	}
	for i, dir := range dirs {
		if filepath.IsLocal(dir) {
			dirs[i] = filepath.Join(r.dir, dir)
		}
	}
	c := Comparison{Base: session.Side{Name: "base", Ref: base}, Head: session.Side{Name: "head", Ref: "HEAD"}, Root: root}
	return c.Revisions(r.Context(), session.Options{Scenarios: record.Compare, Asked: raw.Asked{Rounds: 2}, Dir: filepath.Join(r.TempDir(), "raw")}, dirs)
}

// Each error says what is wrong, what was found and what to do.
func TestADirectoryElsewhereThatCannotBeCompared(t *testing.T) {
	r := newTheirs(t)
	r.write("apps/none/main.go", "package main")
	r.write("apps/bad/server.json", `{"workload": "relais"}`)
	r.write("apps/chat/server.json", serverJSON)
	r.write("chat/server.json", serverJSON)
	r.commit()
	r.write("apps/late/server.json", serverJSON)
	outside := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(outside))
	second := newTheirs(t)
	second.write("server.json", serverJSON)
	second.commit()
	for name, c := range map[string]struct {
		base string
		dirs []string
		want []string
	}{
		"no such directory":         {"HEAD", []string{"apps/nowhere"}, []string{"apps/nowhere: no such directory", "server.json"}},
		"a file":                    {"HEAD", []string{"apps/none/main.go"}, []string{"main.go: not a directory; name the directory of the server: ", "apps/none"}},
		"no repository":             {"HEAD", []string{outside}, []string{outside + ": not in a git repository", "scripts/bench run OLD NEW"}},
		"two repositories":          {"HEAD", []string{"apps/chat", second.dir}, []string{r.dir, second.dir, "compare one at a time"}},
		"a server and a directory":  {"HEAD", []string{"apps/chat", "../../../.."}, []string{"compare one at a time"}},
		"no server.json":            {"HEAD", []string{"apps/none"}, []string{"has no apps/none/server.json", "its servers are in ", "/apps/chat", "name one of these directories"}},
		"server.json not committed": {"HEAD", []string{"apps/late"}, []string{"has no apps/late/server.json", "it is not committed there; commit it"}},
		"a wrong server.json":       {"HEAD", []string{"apps/bad"}, []string{"at revision ", "apps/bad/server.json: key \"language\" is missing"}},
		"two of one name":           {"HEAD", []string{"apps/chat", "chat"}, []string{"relay/chat", `"apps/chat" and "chat" are two servers of that name`}},
		"unknown base":              {"master", []string{"apps/chat"}, []string{`-base: revision "master": not in this repository, ` + r.dir, "its branches are main"}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "a server and a directory" {
				root, err := filepath.Abs("../../../..")
				if err != nil {
					t.Fatal(err)
				}
				c.dirs[1] = filepath.Join(root, "servers/relay/go-http")
			}
			err := r.compared(c.base, c.dirs...)
			if _, usage := errors.AsType[cli.UsageError](err); !usage {
				t.Fatalf("%v; want an error of the command line", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v; want %s", err, want)
				}
			}
		})
	}
}

// Nobody is to blame for a server that base does not have, and there is no verdict.
func TestANewServerElsewhereIsNotMeasured(t *testing.T) {
	r := newTheirs(t)
	r.write("apps/chat/main.go", "package main")
	base := r.commit()
	r.write("apps/chat/server.json", serverJSON)
	r.commit()
	if err := r.compared(base, "apps/chat"); err != cli.ErrFindings {
		t.Errorf("%v; want %v", err, cli.ErrFindings)
	}
}

// Equal files are not loaded.
func TestTheSameFilesElsewhereAreIdentical(t *testing.T) {
	r := newTheirs(t)
	r.write("server.json", serverJSON)
	base := r.commit()
	r.commit()
	r.write("server.json", "not committed")
	if err := r.compared(base, "."); err != nil {
		t.Errorf("the repository itself: %v", err)
	}
}

// One commit has nothing to be compared with. On main the default base is the head.
func TestACommitIsNotComparedWithItself(t *testing.T) {
	r := newTheirs(t)
	r.write("server.json", serverJSON)
	r.commit()
	head := r.commit()
	for _, base := range []string{"HEAD", "main"} {
		err := r.compared(base, ".")
		want := fmt.Sprintf("base and head are both %.10s; name another -base, such as HEAD~1", head)
		if _, usage := errors.AsType[cli.UsageError](err); !usage || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("-base %s: %v; want %s", base, err, want)
		}
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{nil, {"go-http"}} {
		c := Comparison{Base: session.Side{Name: "base", Ref: "HEAD"}, Head: session.Side{Name: "head", Ref: "HEAD"}, Root: root}
		err := c.Revisions(t.Context(), session.Options{Scenarios: record.Compare, Asked: raw.Asked{Rounds: 2}, Dir: filepath.Join(t.TempDir(), "raw")}, names)
		if _, usage := errors.AsType[cli.UsageError](err); !usage || !strings.HasPrefix(err.Error(), "base and head are both ") {
			t.Errorf("%q of the tree: %v", names, err)
		}
	}
}

// A server keeps its name when its directory gets another.
func TestAServerElsewhereMayBeRenamed(t *testing.T) {
	r := newTheirs(t)
	r.write("apps/chat/server.json", serverJSON)
	base := r.commit()
	r.git("mv", "apps/chat", "My_Server")
	head := r.commit()
	e, err := session.Find(t.Context(), []string{filepath.Join(r.dir, "My_Server")}, r.dir, head, "")
	if err != nil || len(e.Paths) != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	for id := range e.Paths {
		targets, release, err := e.Checkout(t.Context(), []workload.Server{id}, []session.Side{{Name: "base", Ref: base}, {Name: "head", Ref: head}})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = release() }() // best effort: a temporary directory
		for i, want := range []string{"Their_Repo/apps/chat", "Their_Repo/My_Server"} {
			s := targets[i].Server
			if targets[i].Broken != nil || s.Name != "my-server" || !strings.HasSuffix(s.Dir, want) || !strings.HasSuffix(s.Whole, "Their_Repo") {
				t.Errorf("%s: %+v", want, targets[i])
			}
		}
	}
}
