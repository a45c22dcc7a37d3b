package revision

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

func TestLogHasFirstParentsOldestFirst(t *testing.T) {
	r := newRepo(t)
	if log, err := Log(t.Context(), r.dir, "main"); log != nil || err != nil {
		t.Errorf("of nothing: %v, %v", log, err)
	}
	message := func(text string) {
		r.git("commit", "-q", "--allow-empty", "--author=Ann é <a@example.org>", "-m", text)
	}
	message("first line\n\nmore")
	r.git("checkout", "-q", "-b", "side")
	message("on the side")
	r.git("checkout", "-q", "main")
	message("\u2028 second \x1b[31m")
	r.git("merge", "-q", "--no-ff", "-m", "merge", "side")
	log, err := Log(t.Context(), r.dir, "main")
	var subjects []string
	for _, c := range log {
		subjects = append(subjects, c.Subject)
		if !record.IsCommit(c.Hash) || c.Time < 1e9 {
			t.Errorf("%+v", c)
		}
	}
	if want := []string{"first line", "\u2028 second \x1b[31m", "merge"}; err != nil || !slices.Equal(subjects, want) || log[0].Author != "Ann é" {
		t.Errorf("%q, %v, want %q by Ann é", subjects, err, want)
	}
}

func TestExportWritesWhatThereIs(t *testing.T) {
	r := newRepo(t)
	r.write("runs/a b/c", "1\n\n")
	r.write("other/d", "2")
	r.write("file", "3")
	commit := r.commit()
	dir := t.TempDir()
	if err := Export(t.Context(), r.dir, commit, dir, "runs", "none", "file"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "runs/a b/c")); err != nil || string(text) != "1\n\n" {
		t.Errorf("%q, %v", text, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("there are %v, %v; want runs and file", left, err)
	}
	if err := Export(t.Context(), r.dir, commit, dir, "none"); err != nil {
		t.Errorf("of none: %v", err)
	}
}
