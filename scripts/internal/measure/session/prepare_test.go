package session

import (
	"errors"
	"os"
	"testing"

	"fairstream/scripts/internal/measure/run"
	"fairstream/scripts/internal/measure/verify"
)

// What was not verified has no logs to look at.
func TestNothingVerifiedLeavesNoLogs(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	_, err := Verify(t.Context(), t.TempDir(), []run.Target{{Broken: errors.New("not built")}}, verify.Checks)
	if left, unread := os.ReadDir(dir); err != nil || unread != nil || len(left) > 0 {
		t.Errorf("left %v, %v, %v", left, err, unread)
	}
}
