package branch

import (
	"maps"
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/testfile"
)

func TestARenamedServerHasItsOldNames(t *testing.T) {
	for was, want := range map[string]map[string]string{
		`["old", "older"]`: {"old": "new", "older": "new"},
		`["relais/old"]`:   nil,
		`["Old"]`:          nil,
		`"old"`:            nil,
	} {
		root := t.TempDir()
		text := `{"workload": "relay", "language": "go", "framework": "gin", "build": ["b"], "run": ["r"], "versions": {"go": ["v"]}, "was": ` + was + "}"
		testfile.Write(t, filepath.Join(root, "servers/relay/new/server.json"), text)
		if got, err := renamed(root); !maps.Equal(got["relay"], want) || len(got) > 1 || (err == nil) != (want != nil) {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	if got, err := renamed(t.TempDir()); len(got) > 0 || err != nil {
		t.Errorf("without servers: %v, %v", got, err)
	}
}
