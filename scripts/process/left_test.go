package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatAProgramLeavesInTheBackgroundIsEndedAndIsNoError(t *testing.T) {
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

func TestACancelledOutputEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		// Neither sleep ends by SIGINT: what a shell starts in the background ignores it.
		_, err := Output(ctx, sh(`trap 'echo tidied up >>`+file+`; exit' INT
			sleep 1000 >/dev/null 2>&1 & echo $! >>`+file+`
			sleep 1000 >/dev/null 2>&1 & echo $! >>`+file+`
			echo >>`+file+`
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
	if data, _ := os.ReadFile(file); !strings.HasSuffix(string(data), "tidied up\n") {
		t.Error("the program was not asked by SIGINT")
	}
}
