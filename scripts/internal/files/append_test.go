package files

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"fairstream/scripts/internal/testfile"
)

func TestLinesFollowTheLastCompleteOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	for _, step := range []struct{ left, add, want string }{
		{"", "1\n", "1\n"}, {"1\n", "2\n3\n", "1\n2\n3\n"}, {"1\n{\"ha", "2\n", "1\n2\n"}, {"{\"ha", "1\n", "1\n"}, {"1\n\x00\x00", "", "1\n"},
	} {
		testfile.Write(t, path, step.left)
		if err := AppendLines(path, []byte(step.add)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != step.want {
			t.Errorf("%q and %q: %q, %v; want %q", step.left, step.add, got, err, step.want)
		}
	}
}

// Lines that do not fit on the disk leave nothing. Here the kernel's limit of file sizes stands for the full
// disk.
func TestLinesThatDoNotFitLeaveNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	testfile.Write(t, path, "1\n")
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	full := limit
	full.Cur = 100
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full); err != nil {
		t.Fatal(err)
	}
	err := AppendLines(path, bytes.Repeat([]byte("a line\n"), 100))
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if err == nil || !strings.Contains(err.Error(), "file too large") {
		t.Errorf("error %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "1\n" {
		t.Errorf("left %q, %v", got, err)
	}
}

func TestLinesOfManyAreAllThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			if err := AppendLines(path, fmt.Appendf(nil, "%d %s\n", i, strings.Repeat("x", 100*i))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(path)
	if n := bytes.Count(text, []byte("\n")); err != nil || n != 50 {
		t.Errorf("%d lines, %v; want 50", n, err)
	}
}
