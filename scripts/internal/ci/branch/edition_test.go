package branch

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// A branch of another edition stays as it is. The command of the error keeps it under another name, and the
// next run begins a new branch.
func TestABranchOfAnotherEditionIsRefused(t *testing.T) {
	for edition, want := range map[string]string{"": "records of an earlier edition; this Fairstream reads and writes edition 4", "3\n": "an earlier edition"} {
		r := bare(t)
		work := t.TempDir()
		git(t, work, "clone", "--quiet", r.URL, ".")
		git(t, work, "commit", "--quiet", "--allow-empty", "-m", "main")
		git(t, work, "push", "--quiet", "origin", "HEAD:main")
		other := &store{dir: r.URL}
		files := map[string][]byte{runOf(1).Path: []byte("{}\n"), "events/2026/11/a.json": []byte("[]\n")}
		if edition != "" {
			files[record.EditionPath] = []byte(edition)
		}
		commit, err := other.commit(t.Context(), files, "an older tool")
		if err != nil {
			t.Fatal(err)
		}
		git(t, r.URL, "branch", Branch, commit)

		tried, err := r.Publish(t.Context(), runOf(2), func(line string) { t.Error(line) })
		if err == nil || tried != 1 || !strings.Contains(err.Error(), want) {
			t.Fatalf("%d tries: %v; want one, and %s", tried, err, want)
		}
		if now := git(t, r.URL, "rev-parse", Branch); now != commit {
			t.Errorf("the branch is %s, was %s", now, commit)
		}
		for name, read := range map[string]func() error{
			"published": func() error { _, err := Published(t.Context(), r.URL, Branch, "main", nil); return err },
			"events":    func() error { _, err := Events(t.Context(), r.URL, Branch, "main", nil); return err },
		} {
			if err := read(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v; want %s", name, err, want)
			}
		}

		_, command, _ := strings.Cut(err.Error(), "changed nothing on it; ")
		command, _, _ = strings.Cut(command, " keeps it")
		git(t, work, "fetch", "--quiet")
		sh := exec.Command("sh", "-c", command)
		sh.Dir = work
		if out, err := sh.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		if kept := git(t, r.URL, "rev-parse", Branch+"-before-4"); kept != commit {
			t.Errorf("%s is kept, want %s", kept, commit)
		}
		publish(t, r, runOf(2))
		publish(t, r, runOf(3))
		if text := show(t, r, record.EditionPath); text != fmt.Sprint(record.Edition) {
			t.Errorf("edition %q, want %d", text, record.Edition)
		}
	}
}

// A tool that is older than the branch says so, and names no command.
func TestABranchOfANewerEditionIsRefused(t *testing.T) {
	for _, seen := range []string{"5", "new"} {
		err := record.CheckEdition(Branch, []byte(seen))
		if err == nil || !strings.HasSuffix(err.Error(), "reads and writes edition 4; update it") {
			t.Errorf("%s: %v", seen, err)
		}
	}
}
