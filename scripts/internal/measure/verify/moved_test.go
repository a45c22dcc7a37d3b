package verify

import (
	"os"
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/testfile"
)

// A package of a monorepo finds what lies around it, and only the copies are its own.
func TestMovedServersFindWhatIsAroundThem(t *testing.T) {
	whole, to := t.TempDir(), filepath.Join(t.TempDir(), "moved")
	for name, text := range map[string]string{"node_modules/bun": "program", "packages/lib/price": "5", "packages/api/data.json": "{}", "packages/api/server.ts": "source"} {
		testfile.Write(t, filepath.Join(whole, name), text)
	}
	if err := os.Mkdir(filepath.Join(whole, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	from := filepath.Join(whole, "packages/api")
	if found := repository(from); found != whole {
		t.Fatalf("repository %s, want %s", found, whole)
	}
	dir, err := moved(from, whole, to, []string{"data.json"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"server.ts": "source", "../lib/price": "5", "../../node_modules/bun": "program", "data.json": "{}"} {
		if text, err := os.ReadFile(dir + "/" + name); err != nil || string(text) != want { // Join would remove the dots
			t.Errorf("%s: %q, %v; want %q", name, text, err, want)
		}
	}
	testfile.Write(t, filepath.Join(dir, "data.json"), "changed")
	if text, err := os.ReadFile(filepath.Join(from, "data.json")); err != nil || string(text) != "{}" {
		t.Errorf("the file itself: %q, %v", text, err)
	}
	alone := filepath.Join(t.TempDir(), "alone")
	if err := os.Mkdir(alone, 0o755); err != nil {
		t.Fatal(err)
	}
	if found := repository(alone); found != alone {
		t.Errorf("repository %s of a directory in none, want %s", found, alone)
	}
}
