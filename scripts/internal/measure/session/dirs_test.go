package session

import (
	"os"
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/judge/raw"
)

// Runs of one second get directories of their own, and one that fails before it
// has anything to keep leaves none.
func TestRunsOfOneSecond(t *testing.T) {
	t.Chdir(t.TempDir()) // so it is not parallel
	names := map[string]bool{}
	var releases []func()
	for range 20 {
		var s Session
		release, err := s.claim()
		if err != nil {
			t.Fatal(err)
		}
		names[s.Dir] = true
		releases = append(releases, release)
	}
	if len(names) != 20 {
		t.Errorf("20 runs in %d directories", len(names))
	}
	for _, release := range releases {
		release()
	}
	if left, err := os.ReadDir("raw"); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// A comparison goes on in its directory, also when it was interrupted between two loads.
func TestADirectoryToGoOnIn(t *testing.T) {
	for name, c := range map[string]struct {
		file   string
		resume bool
		taken  bool
	}{
		"another run":               {raw.RunFile, false, false},
		"interrupted in a load":     {raw.RunFile, true, true},
		"interrupted between loads": {TriedPrefix + "1-0-0/" + raw.RunFile, true, true},
		"files of something else":   {"notes.txt", true, false},
		"another one between loads": {TriedPrefix + "1-0-0/" + raw.RunFile, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := Session{Options: Options{Dir: t.TempDir(), Resume: c.resume}}
			file := filepath.Join(s.Dir, c.file)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte("{}"), 0o644); err != nil {
				t.Fatal(err)
			}
			release, err := s.claim()
			if err == nil {
				release()
			}
			if (err == nil) != c.taken {
				t.Errorf("%v, want taken %v", err, c.taken)
			}
		})
	}
}
