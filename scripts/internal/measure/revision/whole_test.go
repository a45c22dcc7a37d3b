package revision

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// text is a file's content; "" without the file.
func text(t *testing.T, path ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(path...))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(content)
}

// A copy has all files of a commit, also those that git archive leaves out, and the working copy stays as it is.
func TestACopyHasTheWholeRepository(t *testing.T) {
	r := newRepo(t)
	r.write("apps/chat/main.go", "old")
	r.write("lib/lib.go", "old")
	r.write(".gitattributes", "lib export-ignore\n")
	if err := os.Symlink("../lib", filepath.Join(r.dir, "apps/lib")); err != nil {
		t.Fatal(err)
	}
	old := r.commit()
	r.write("lib/lib.go", "new")
	head := r.commit()
	r.write("lib/lib.go", "staged")
	r.git("add", "lib")
	r.write("apps/chat/main.go", "not committed")
	state := func() string {
		return r.git("status", "--porcelain", "--ignored", "--untracked-files=all") + r.git("for-each-ref") + r.git("diff", "--cached")
	}
	before := state()
	for commit, want := range map[string]string{old: "old", head: "new"} {
		c, err := CopyWhole(t.Context(), r.dir, commit, filepath.Join(t.TempDir(), "copy"))
		if err != nil {
			t.Fatal(err)
		}
		if text(t, c.Dir, "apps/chat/main.go") != "old" || text(t, c.Dir, "apps/lib/lib.go") != want || c.Tree != r.git("rev-parse", commit+"^{tree}") || c.Files != 3 || c.Bytes != int64(len("old")+len(want)+len("lib export-ignore\n")) {
			t.Errorf("%.10s: %+v, lib %q; want %q", commit, c, text(t, c.Dir, "apps/lib/lib.go"), want)
		}
		if _, err := os.Stat(filepath.Join(c.Dir, ".git")); err == nil {
			t.Error("the copy has a .git, whose hash gets into programs")
		}
	}
	if after := state(); after != before {
		t.Errorf("the working copy changed:\n%s\nwas\n%s", after, before)
	}
	if _, err := CopyWhole(t.Context(), r.dir, strings.Repeat("0", 40), filepath.Join(t.TempDir(), "copy")); err == nil {
		t.Error("a commit that is not there was copied")
	}
}

// A submodule has the files of the commit that the outer repository names.
func TestACopyHasItsSubmodules(t *testing.T) {
	t.Setenv("GIT_ALLOW_PROTOCOL", "file")
	lib := newRepo(t)
	lib.write("lib.go", "old")
	lib.commit()
	r := newRepo(t)
	r.git("submodule", "add", "--quiet", lib.dir, "app/lib")
	old := r.commit()
	inside := repo{t, filepath.Join(r.dir, "app/lib")}
	inside.write("lib.go", "new")
	inside.commit()
	head := r.commit()
	for commit, want := range map[string]string{old: "old", head: "new"} {
		c, err := CopyWhole(t.Context(), r.dir, commit, filepath.Join(t.TempDir(), "copy"))
		if err != nil || text(t, c.Dir, "app/lib/lib.go") != want || len(c.Empty) > 0 {
			t.Errorf("%.10s: %q, %+v, %v; want %q", commit, text(t, c.Dir, "app/lib/lib.go"), c, err, want)
		}
	}
	if top, path, err := Locate(t.Context(), inside.dir); err != nil || top != inside.dir || path != "" {
		t.Errorf("the repository of a submodule: %s, %q, %v", top, path, err)
	}

	clone := repo{t, filepath.Join(t.TempDir(), "clone")}
	r.git("clone", "--quiet", r.dir, clone.dir)
	c, err := CopyWhole(t.Context(), clone.dir, old, filepath.Join(t.TempDir(), "copy"))
	if err != nil || !slices.Equal(c.Empty, []string{"app/lib"}) {
		t.Errorf("a clone without its submodules: %+v, %v", c, err)
	}
	if is, err := IsSubmodule(t.Context(), clone.dir, "app/lib"); err != nil || !is {
		t.Errorf("app/lib is a submodule: %v, %v", is, err)
	}
	if is, err := IsSubmodule(t.Context(), clone.dir, "app"); err != nil || is {
		t.Errorf("app is no submodule: %v, %v", is, err)
	}
}

func TestLocate(t *testing.T) {
	r := newRepo(t)
	r.write("apps/chat/main.go", "old")
	for dir, want := range map[string]string{".": "", "apps": "apps", "apps/chat": "apps/chat"} {
		if top, path, err := Locate(t.Context(), filepath.Join(r.dir, dir)); err != nil || top != r.dir || path != want {
			t.Errorf("%s: %s, %q, %v; want %q", dir, top, path, err, want)
		}
	}
	outside := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(outside))
	if _, _, err := Locate(t.Context(), outside); err != ErrNoRepository {
		t.Errorf("no repository: %v", err)
	}
}

func TestRenamedFrom(t *testing.T) {
	r := newRepo(t)
	r.server("one", "1")
	base := r.commit()
	r.git("mv", "servers/relay/one", "servers/relay/two")
	head := r.commit()
	for path, want := range map[string]string{"servers/relay/two/server.json": "servers/relay/one/server.json", "servers/relay/one/server.json": ""} {
		if got, err := RenamedFrom(t.Context(), r.dir, base, head, path); err != nil || got != want {
			t.Errorf("%s was renamed from %q, %v; want %q", path, got, err, want)
		}
	}
}

// A missing revision is explained by what the clone has.
func TestUnknownRevisionsAreExplained(t *testing.T) {
	origin := newRepo(t)
	origin.server("one", "1")
	first := origin.commit()
	origin.server("one", "2")
	origin.commit()
	origin.git("branch", "topic")
	clone := func(args ...string) repo {
		c := repo{t, filepath.Join(t.TempDir(), "clone")}
		origin.git(append(append([]string{"clone", "--quiet"}, args...), "file://"+origin.dir, c.dir)...)
		return c
	}
	whole, shallow := clone(), clone("--depth", "1")
	for _, c := range []struct {
		in        repo
		ref, want string
	}{
		{origin, "master", "its branches are main, topic"},
		{whole, "topic", "origin has a branch of that name: use origin/topic"},
		{shallow, "main~1", "complete it with `git fetch --unshallow`"},
		{shallow, strings.Repeat("0", 40), "fetch-depth: 0"},
	} {
		if _, err := Resolve(t.Context(), c.in.dir, c.ref); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.in.dir) {
			t.Errorf("%s: %v; want %s", c.ref, err, c.want)
		}
	}
	head := shallow.git("rev-parse", "HEAD")
	if from, err := MergeBase(t.Context(), shallow.dir, head, head); err != nil || from != head {
		t.Errorf("a commit with itself: %s, %v", from, err)
	}
	if err := exec.Command("git", "-C", shallow.dir, "fetch", "-q", "--depth=1", "origin", first).Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := MergeBase(t.Context(), shallow.dir, first, head); err == nil || !strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Errorf("a shallow clone: %v", err)
	}
	origin.git("checkout", "-q", "--orphan", "other")
	other := origin.commit()
	if _, err := MergeBase(t.Context(), origin.dir, first, other); err == nil || !strings.Contains(err.Error(), "want two revisions of one history") {
		t.Errorf("two histories: %v", err)
	}
}
