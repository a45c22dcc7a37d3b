package publish

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestRenamedServersAreOfOneWorkload(t *testing.T) {
	for text, want := range map[string]map[string]string{
		`{"old": "new", "relay/older": "new"}`: {"old": "new", "older": "new"},
		`{"relais/old": "new"}`:                nil,
		`{"old": "New"}`:                       nil,
	} {
		root := t.TempDir()
		path := filepath.Join(root, renamedFile)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := renamed(root); !maps.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
}
