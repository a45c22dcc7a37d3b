package process

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBackgroundChildrenEndWithoutError(t *testing.T) {
	t.Parallel()
	for _, script := range []string{
		"sleep 1000 >/dev/null 2>&1 & echo $!",
		"sleep 1000 & echo $!", // holds stdout open
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			out, err := Output(t.Context(), sh(script))
			if err != nil {
				t.Fatal(err)
			}
			var pid int
			if _, err := fmt.Sscan(out, &pid); err != nil {
				t.Fatalf("%q: %v", out, err)
			}
			gone(t, pid)
		})
	}
}

func TestACancelledOutputEndsTheGroup(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		// One sleep ends by SIGTERM; the other ignores it, and prints its id when it does.
		_, err := Output(ctx, sh(`touch "$TMPDIR/left"; echo "$TMPDIR" >`+file+`.temp
			sleep 1000 & echo $! >>`+file+`
			(trap '' TERM; echo >>`+file+`; exec sleep 1000 >/dev/null 2>&1) & echo $! >>`+file+`
			wait`))
		ended <- err
	}()
	all := pids(t, file, 3)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if len(all) != 2 {
		t.Fatalf("process ids %v, want 2", all)
	}
	for _, pid := range all {
		gone(t, pid)
	}
	temp, err := os.ReadFile(file + ".temp")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(strings.TrimSpace(string(temp))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its temporary files in %s: %v", temp, err)
	}
}
