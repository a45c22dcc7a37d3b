package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// However many publish into one place, there is a whole site at every moment, and
// nothing else afterwards.
func TestASiteIsThereAtEveryMoment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	to := filepath.Join(dir, "site")
	fill := func(n int) func(string) error {
		return func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "index.html"), fmt.Append(nil, n), 0o644)
		}
	}
	if err := ReplaceDir(to, fill(0)); err != nil {
		t.Fatal(err)
	}
	var done atomic.Bool
	var reader, writers sync.WaitGroup
	reader.Go(func() {
		for !done.Load() {
			if _, err := os.Stat(filepath.Join(to, "index.html")); err != nil {
				t.Errorf("no site: %v", err)
				return
			}
		}
	})
	for n := range 4 {
		writers.Go(func() {
			for range 100 {
				if err := ReplaceDir(to, fill(n)); err != nil {
					t.Errorf("publisher %d: %v", n, err)
					return
				}
			}
		})
	}
	writers.Wait()
	done.Store(true)
	reader.Wait()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left %v, %v; want the site alone", left, err)
	}
}

// What fails leaves the old site, also where names cannot be exchanged at once.
func TestAPublishThatFailsLeavesTheOldSite(t *testing.T) {
	t.Parallel()
	cannot := func(string, string) error { return unix.EINVAL }
	for name, exchange := range map[string]func(string, string) error{"at once": exchange, "in turn": cannot} {
		dir := t.TempDir()
		old, fresh := filepath.Join(dir, "site"), filepath.Join(dir, "fresh")
		if err := os.MkdirAll(filepath.Join(old, "old"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := swap(fresh, old, exchange); !errors.Is(err, os.ErrNotExist) { // nothing was made
			t.Errorf("%s: %v", name, err)
		}
		if !exists(filepath.Join(old, "old")) {
			t.Errorf("%s: the old site is gone", name)
		}
		if err := os.Mkdir(fresh, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := swap(fresh, old, exchange); err != nil || exists(filepath.Join(old, "old")) || !exists(filepath.Join(fresh, "old")) {
			t.Errorf("%s: not exchanged: %v", name, err)
		}
		if err := swap(fresh, filepath.Join(dir, "first"), exchange); err != nil || !exists(filepath.Join(dir, "first/old")) {
			t.Errorf("%s: the first: %v", name, err)
		}
	}
	to := filepath.Join(t.TempDir(), "site")
	full := errors.New("no space left")
	if err := ReplaceDir(to, func(string) error { return full }); !errors.Is(err, full) || exists(to) {
		t.Errorf("%v", err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
