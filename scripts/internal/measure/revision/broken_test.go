package revision

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

// lookups are all functions that ask whether something is there.
func lookups(t *testing.T, dir, base, head string) map[string]error {
	ctx, errs := t.Context(), map[string]error{}
	_, errs["Known"] = Hash(ctx, dir, head)
	_, errs["Resolve"] = Resolve(ctx, dir, "main")
	_, errs["IsAncestor"] = IsAncestor(ctx, dir, base, head)
	_, errs["Servers"] = Servers(ctx, dir, head)
	_, _, errs["Since"] = Since(ctx, dir, base, head)
	_, errs["File"] = File(ctx, dir, "main", "servers/relay/one/source")
	_, errs["Files"] = Files(ctx, dir, "main", "servers")
	_, errs["LastChange"] = LastChange(ctx, dir, "main", "servers")
	_, errs["Log"] = Log(ctx, dir, "main")
	_, errs["Extract"] = Extract(ctx, dir, head, relay("one")[0], t.TempDir())
	return errs
}

// TestAGitThatCannotSayIsNotANo: a server that was not looked up is not one that did not change.
func TestAGitThatCannotSayIsNotANo(t *testing.T) {
	r := newRepo(t)
	r.server("one", "old")
	base := r.commit()
	r.server("one", "new")
	head := r.commit()
	for name, err := range lookups(t, r.dir, base, head) {
		if err != nil {
			t.Errorf("all is well: %s: %v", name, err)
		}
	}
	t.Run("no git", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		for name, err := range lookups(t, r.dir, base, head) {
			if err == nil || !strings.Contains(err.Error(), "git: no such program") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("no repository", func(t *testing.T) {
		dir := t.TempDir()
		t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
		for name, err := range lookups(t, dir, base, head) {
			if err == nil || !strings.Contains(err.Error(), "not a git repository") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("the commit is broken on disk", func(t *testing.T) {
		object := filepath.Join(r.dir, ".git/objects", head[:2], head[2:])
		whole, err := os.ReadFile(object)
		if err != nil {
			t.Fatal(err)
		}
		broken := func(text []byte) {
			t.Helper()
			if err := os.Remove(object); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(object, text, 0o444); err != nil {
				t.Fatal(err)
			}
		}
		broken([]byte("broken"))
		defer broken(whole)
		for name, err := range lookups(t, r.dir, base, head) {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	})
	// All else git can do: as when there is no memory, or no process, for a moment.
	t.Run("one command fails", func(t *testing.T) {
		r.shadow(t, `case "$*" in *server.json*|*"ls-tree -r"*) echo "fatal: out of memory" >&2; exit 128;; esac`)
		errs := lookups(t, r.dir, base, head)
		for _, name := range []string{"Since", "Servers"} {
			if err := errs[name]; err == nil || !strings.Contains(err.Error(), "out of memory") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("it is killed", func(t *testing.T) {
		r.shadow(t, `case "$*" in *rev-parse*|*"ls-tree -r"*) kill -9 $$;; esac`)
		for name, err := range lookups(t, r.dir, base, head) {
			if err == nil || !strings.Contains(err.Error(), "signal 9") && name != "Since" && name != "Servers" {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// shadow puts a script before git, which goes on as git.
func (r repo) shadow(t *testing.T, script string) {
	t.Helper()
	git := filepath.Join(t.TempDir(), "git")
	testfile.Program(t, git, "#!/bin/sh\n"+script+"\nPATH=${PATH#*:} exec git \"$@\"\n")
	t.Setenv("PATH", filepath.Dir(git)+":"+os.Getenv("PATH"))
}

func TestWithoutACommonAncestorNoneIsTheOthers(t *testing.T) {
	r := newRepo(t)
	a := r.commit()
	r.git("checkout", "-q", "--orphan", "other")
	r.write("file", "1")
	b := r.commit()
	for _, head := range []string{b, strings.Repeat("1", 40)} {
		if is, err := IsAncestor(t.Context(), r.dir, a, head); is || err != nil {
			t.Errorf("%s: %t, %v", head, is, err)
		}
	}
}
