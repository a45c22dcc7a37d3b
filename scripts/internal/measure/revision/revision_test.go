package revision

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/testrepo"
	"fairstream/scripts/internal/workload/workloadtest"
)

var relay = workloadtest.Relay

// A repo is a git repository with servers.
type repo struct {
	*testing.T
	dir string
}

func newRepo(t *testing.T) repo {
	r := repo{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r repo) git(args ...string) string {
	r.Helper()
	return testrepo.Git(r, r.dir, args...)
}

func (r repo) write(path, text string) {
	r.Helper()
	testfile.Write(r, filepath.Join(r.dir, path), text)
}

// server writes a server whose source is text.
func (r repo) server(name, text string) {
	r.write("servers/relay/"+name+"/server.json", `{"workload": "relay", "language": "sh", "framework": "none", "build": ["true"], "run": ["./source"], "versions": {"sh": ["echo", "1.0"]}}`)
	r.write("servers/relay/"+name+"/source", text)
}

func (r repo) commit() string {
	r.Helper()
	return testrepo.Commit(r, r.dir)
}

func TestExtractGetsTheCodeOfARevision(t *testing.T) {
	r := newRepo(t)
	r.server("one", "old")
	r.server("two", "same")
	old := r.commit()
	r.server("one", "new")
	r.server("three", "added")
	head := r.commit()
	r.server("one", "not committed")
	before := r.git("status", "--porcelain", "--ignored", "--untracked-files=all") + r.git("for-each-ref") + r.git("worktree", "list")

	out := t.TempDir()
	trees := map[string]string{}
	for commit, want := range map[string]string{old: "old", head: "new"} {
		s, err := Extract(t.Context(), r.dir, commit, relay("one")[0], filepath.Join(out, commit))
		if err != nil {
			t.Fatal(err)
		}
		source, err := os.ReadFile(filepath.Join(s.Dir, "source"))
		if err != nil || string(source) != want {
			t.Errorf("%.10s: source %q, %v; want %q", commit, source, err, want)
		}
		if s.Name != "one" || *s.Commit != commit || *s.Tree != r.git("rev-parse", commit+":servers/relay/one") {
			t.Errorf("%.10s: name %s, commit %s, tree %s", commit, s.Name, *s.Commit, *s.Tree)
		}
		trees[*s.Tree] = commit
		if left, _ := filepath.Glob(filepath.Join(out, commit, "*.tar")); left != nil {
			t.Errorf("left: %v", left)
		}
	}
	if len(trees) != 2 {
		t.Errorf("trees %v; want one for each revision", trees)
	}
	if _, err := Extract(t.Context(), r.dir, old, relay("three")[0], out); err == nil || !strings.HasPrefix(err.Error(), "three: not in revision "+old[:10]) {
		t.Errorf("a server that is not there: %v", err)
	}
	if after := r.git("status", "--porcelain", "--ignored", "--untracked-files=all") + r.git("for-each-ref") + r.git("worktree", "list"); after != before {
		t.Errorf("the working copy changed:\n%s\nwas\n%s", after, before)
	}
	if names, err := Servers(t.Context(), r.dir, head); err != nil || !reflect.DeepEqual(names, relay("one", "three", "two")) {
		t.Errorf("servers %v, %v", names, err)
	}
}

func TestSinceNamesWhatHeadChanged(t *testing.T) {
	r := newRepo(t)
	for _, name := range []string{"changed", "gone", "same", "theirs"} {
		r.server(name, "old")
	}
	r.write("servers/README.md", "old")
	fork := r.commit()
	r.git("checkout", "-q", "-b", "topic")
	r.server("changed", "new")
	r.server("added", "new")
	r.server("proxy", "new")
	r.write("servers/relay/proxy/server.json", `{"workload": "relay", "language": "sh", "framework": "none", "build": ["true"], "run": ["./source"], "versions": {"sh": ["echo", "1.0"]}, "reference": true}`)
	r.write("servers/README.md", "new")
	r.write("servers/relay/not-a-server/file", "new")
	r.write("servers/Odd Näme/server.json", "{}")
	r.write("servers/relay/Odd Näme/server.json", "{}")
	r.write("servers/no-workload/one/server.json", "{}")
	r.git("rm", "-rq", "servers/relay/gone")
	topic := r.commit()
	r.git("checkout", "-q", "main")
	r.server("theirs", "new")
	main := r.commit()

	from, c, err := Since(t.Context(), r.dir, main, topic)
	if err != nil || from != fork || !reflect.DeepEqual(c, Changed{Servers: relay("added", "changed")}) {
		t.Errorf("from %s, %+v, %v; want from %s, added and changed", from, c, err, fork)
	}
	for _, path := range []string{"stub/main.go", "k6/relay/stress.js", "scripts/bench", "stub/tökens"} {
		r.git("checkout", "-q", "-B", "rig", fork)
		r.write(path, "new")
		if _, c, err := Since(t.Context(), r.dir, main, r.commit()); err != nil || !c.Rig || c.Servers != nil {
			t.Errorf("%s: %+v, %v; want the rig changed, no server", path, c, err)
		}
	}
}

func TestResolve(t *testing.T) {
	origin := newRepo(t)
	origin.server("one", "old")
	first := origin.commit()
	clone := repo{t, filepath.Join(t.TempDir(), "clone")}
	origin.git("clone", "-q", origin.dir, clone.dir)
	origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
	later := origin.commit()

	for _, ref := range []string{"HEAD", "main", first, first[:8]} {
		if got, err := Resolve(t.Context(), clone.dir, ref); err != nil || got != first {
			t.Errorf("%s: %s, %v; want %s", ref, got, err, first)
		}
	}
	if got, err := Resolve(t.Context(), clone.dir, later); err != nil || got != later {
		t.Errorf("a commit that only origin has: %s, %v; want %s", got, err, later)
	}
	none := strings.Repeat("0", 40)
	for ref, want := range map[string]string{
		"":               "want a commit",
		"--upload-pack=": "want a commit",
		"no-such":        "want a commit, branch or tag; its branches are main",
		none:             "fetching it from origin failed",
	} {
		if _, err := Resolve(t.Context(), clone.dir, ref); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", ref, err, want)
		}
	}
}

func TestOfIsUnknownWhereFilesDifferFromTheCommit(t *testing.T) {
	r := newRepo(t)
	r.server("one", "old")
	commit := r.commit()
	dir := filepath.Join(r.dir, "servers/relay/one")
	if s := SourceOf(t.Context(), dir); s.Commit == nil || *s.Commit != commit || *s.Tree != r.git("rev-parse", "HEAD:servers/relay/one") {
		t.Errorf("source %v", s)
	}
	r.server("one", "new")
	if s := SourceOf(t.Context(), dir); s.Commit != nil || s.Tree != nil {
		t.Errorf("source of changed files: %v", s)
	}
	if s := SourceOf(t.Context(), t.TempDir()); s.Commit != nil || s.Tree != nil {
		t.Errorf("source outside of git: %v", s)
	}
}

func TestFileIsReadOfARevision(t *testing.T) {
	r := newRepo(t)
	r.write("data.jsonl", "{}\n{}\n")
	r.commit()
	r.git("branch", "data")
	r.git("rm", "-q", "data.jsonl")
	r.commit()
	for _, c := range []struct{ ref, want string }{{"data", "{}\n{}"}, {"main", ""}, {"origin/gh-pages", ""}} {
		got, err := File(t.Context(), r.dir, c.ref, "data.jsonl")
		if err != nil || string(got) != c.want || (got == nil) != (c.want == "") {
			t.Errorf("%s: %q, %v; want %q", c.ref, got, err, c.want)
		}
	}
	if _, err := File(t.Context(), r.dir, "--output=x", "data.jsonl"); err == nil {
		t.Error("an option was taken for a revision")
	}
}
