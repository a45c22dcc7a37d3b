package publish_test

import (
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/publish"
	"fairstream/scripts/publish/simulate"
)

// Ten thousand commits of eight servers are built in a minute on two cores: so much CPU
// time at most. It says what memory that took.
func TestTenThousandCommits(t *testing.T) {
	commits, most := 300, 10*time.Second
	if os.Getenv("FAIRSTREAM_LONG") != "" {
		commits, most = 10_000, 120*time.Second
	}
	dir := t.TempDir()
	h, err := simulate.Write(simulate.Options{Commits: commits, Servers: 8, Seed: 1}, func(path string, data []byte) error {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	before := used(t)
	var bytes, files, first, whole atomic.Int64
	facts := publish.Facts{Files: os.DirFS(dir), Main: h.Main, Renamed: h.Renamed, Acks: h.Acks, IsAncestor: func(string, string) (bool, error) { return true, nil }}
	built, err := publish.Build(facts, func(path string, data []byte) error {
		bytes.Add(int64(len(data)))
		files.Add(1)
		if strings.HasPrefix(path, "data/o/stress-100/rate_per_s.") || path == "data/manifest.json" {
			first.Add(int64(squeezed(data)))
		}
		if strings.HasPrefix(path, "data/s/stress-100/rate_per_s/") {
			whole.Add(int64(squeezed(data)))
		}
		if strings.HasPrefix(path, "data/") && len(data) > 1e6 {
			t.Errorf("%s: %d bytes, want at most 1 MB", path, len(data))
		}
		// As slow as a disk that has to make files.
		return os.WriteFile(filepath.Join(dir, "out"), data, 0o644)
	}, func(string) {})
	m := built.Manifest
	if err != nil || m.Commits.Count != commits || len(m.Broken) > 0 {
		t.Fatalf("%v: %d commits, broken %v", err, m.Commits.Count, m.Broken)
	}
	took := used(t) - before
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	var history int64
	filepath.WalkDir(filepath.Join(dir, "runs"), func(_ string, d fs.DirEntry, _ error) error {
		if info, err := d.Info(); err == nil && !d.IsDir() {
			history += info.Size()
		}
		return nil
	})
	t.Logf("%d commits, %d MB: %.1f s of CPU time, at most %d MB of memory; %d files, %d MB; gzipped: manifest and overview %d KB, one series in full %d KB",
		commits, history>>20, took.Seconds(), usage.Maxrss>>10, files.Load(), bytes.Load()>>20, first.Load()>>10, whole.Load()>>10)
	if took > most {
		t.Errorf("%v of CPU time, want at most %v", took, most)
	}
}

// used is this process's CPU time.
func used(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// squeezed is how many bytes a reader fetches.
func squeezed(data []byte) int {
	var n counter
	z := gzip.NewWriter(&n)
	z.Write(data)
	z.Close()
	return int(n)
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
