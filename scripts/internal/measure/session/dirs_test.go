package session

import (
	"os"
	"testing"
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
