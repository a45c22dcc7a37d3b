package session

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/measure/run"
	"fairstream/scripts/internal/measure/verify"
)

// A server that was not verified has no logs.
func TestNothingVerifiedLeavesNoLogs(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	_, err := Verify(t.Context(), dir, []run.Target{{Broken: errors.New("not built")}}, verify.Checks)
	for _, dir := range []string{filepath.Join(dir, "raw"), temp} {
		if left, unread := os.ReadDir(dir); err != nil || unread != nil || len(left) > 0 {
			t.Errorf("%s: left %v, %v, %v", dir, left, err, unread)
		}
	}
}
