package process

import (
	"path/filepath"
	"testing"
)

func TestOrphansAreAdoptedAndKilled(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "orphans")
	if _, err := Output(t.Context(), role(t, "adopt", "LOG="+log)); err != nil {
		t.Fatal(err)
	}
	// The orphan has a group of its own, so the end of ours is not what killed it.
	gone(t, pids(t, log, 1)[0])
}
