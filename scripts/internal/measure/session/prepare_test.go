package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/verify/contracts"
	"fairstream/scripts/internal/testfile"
)

// A server that was not verified has no logs.
func TestNothingVerifiedLeavesNoLogs(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	_, err := Verify(t.Context(), dir, []load.Target{{Broken: errors.New("not built")}}, contracts.Of)
	for _, dir := range []string{filepath.Join(dir, "raw"), temp} {
		if left, unread := os.ReadDir(dir); err != nil || unread != nil || len(left) > 0 {
			t.Errorf("%s: left %v, %v, %v", dir, left, err, unread)
		}
	}
}

// A verify that Ctrl-C ended has not checked its servers.
func TestAnInterruptedVerifyDoesNotSayThatItChecked(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	said := testfile.Stderr(t, func() {
		if _, err := Verify(ctx, t.TempDir(), []load.Target{{}}, contracts.Of); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want %v", err, context.Canceled)
		}
	})
	if strings.Contains(said, "servers checked") {
		t.Error(said)
	}
}
