package session

import (
	"io/fs"
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
				for _, file := range []string{"gh-pages/package.json"} {
					testfile.Write(t, filepath.Join(root, file), "{}")
				}
			}
			t.Setenv("CI", c.ci)
			t.Setenv("PATH", t.TempDir())
			var pages fs.FS
			text := testfile.Stderr(t, func() { pages = Pages(t.Context(), root) })
			if pages != nil || !strings.Contains(text, c.told) || c.told == "" && len(text) > 0 {
				t.Errorf("pages %v, printed %q; want none, and %q", pages, text, c.told)
			}
		})
	}
}
