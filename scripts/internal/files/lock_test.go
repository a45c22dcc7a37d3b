package files

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// lockUntilEnd is another process that locks, says so, and waits for its end.
func lockUntilEnd(dir string) {
	if _, err := TryLock(dir); err != nil {
		os.Exit(1)
	}
	os.Stdout.WriteString("locked\n") // the reader notices
	os.Stdin.Read(make([]byte, 1))    // our end ends it, too
}

func TestOneProcessHasADirectory(t *testing.T) {
	dir := t.TempDir()
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), "LOCK_DIRECTORY="+dir)
	in, err1 := other.StdinPipe()
	out, err2 := other.StdoutPipe()
	if err := errors.Join(err1, err2, other.Start()); err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := out.Read(make([]byte, 16)); err != nil {
		t.Fatal(err)
	}
	if text := LockHolder(dir); !strings.Contains(text, fmt.Sprintf("%s (pid %d, since ", os.Args[0], other.Process.Pid)) && text != "unknown" {
		t.Errorf("the holder is said to be %q", text)
	}
	if _, err := TryLock(dir); !errors.Is(err, ErrLocked) || !strings.HasPrefix(err.Error(), dir+": ") {
		t.Errorf("while another has it: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := WaitLock(ctx, dir, cancel); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	asked := 0
	release, err := WaitLock(t.Context(), dir, func() {
		asked++
		if err := other.Process.Kill(); err != nil {
			t.Error(err)
		}
	})
	if err != nil || asked != 1 {
		t.Fatalf("after it was killed: %v, said %d times", err, asked)
	}
	if err := other.Wait(); err == nil {
		t.Error("it was not killed")
	}
	if _, err := TryLock(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("while we have it: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if _, err := TryLock(dir); err != nil {
		t.Errorf("after we let it go: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := TryLock(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nowhere: %v", err)
	}
}
