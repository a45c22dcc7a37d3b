package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

// A run without Node.js is still a run: it says what is missing.
func TestReportPages(t *testing.T) {
	for name, c := range map[string]struct {
		pages bool
		ci    string
		told  string
	}{
		"without Node.js":         {true, "", "no report.html is written after runs: pages: node: not found"},
		"in a workflow":           {true, "true", ""},
		"in a project without it": {false, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if c.pages {
				for _, file := range []string{"gh-pages/package.json", "scripts/GLOSSARY.md"} {
					testfile.Write(t, filepath.Join(root, file), "{}")
				}
			}
			t.Setenv("CI", c.ci)
			t.Setenv("PATH", t.TempDir())
			printed, err := os.Create(filepath.Join(t.TempDir(), "printed"))
			if err != nil {
				t.Fatal(err)
			}
			told := os.Stderr
			os.Stderr = printed
			var report pageBuild
			for _, job := range report.jobs(root) {
				if err := job.Do(t.Context()); err != nil {
					t.Error(err)
				}
			}
			pages := report.result()
			os.Stderr = told
			text, err := os.ReadFile(printed.Name())
			if err != nil || pages != nil || !strings.Contains(string(text), c.told) || c.told == "" && len(text) > 0 {
				t.Errorf("pages %v, printed %q, %v; want none, and %q", pages, text, err, c.told)
			}
		})
	}
}
