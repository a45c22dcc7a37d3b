package build

import (
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/testfile"
)

func TestPagesAreBuiltAgainWhenTheirSourcesChange(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		testfile.Write(t, filepath.Join(root, name), text)
	}
	hash := func() string {
		t.Helper()
		sum, err := sourceHash(filepath.Join(root, "gh-pages"))
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	write("gh-pages/src/page.ts", "1")
	write("gh-pages/test/page.test.ts", "1")
	before := hash()
	for _, c := range []struct {
		name    string
		changes bool
	}{{"gh-pages/src/page.ts", true}, {"gh-pages/test/page.test.ts", false}, {"scripts/README.md", false}} {
		write(c.name, "2")
		after := hash()
		if (after != before) != c.changes {
			t.Errorf("%s changed: another hash: %v, want %v", c.name, after != before, c.changes)
		}
		before = after
	}
}
