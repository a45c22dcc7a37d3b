package site_test

import (
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
)

// A size is one of a history, and what deriving its site may take.
type size struct {
	commits, servers int
	cpu              time.Duration
	siteMB           int64
}

// Three thousand commits are built in half a minute on two cores. So the limit is the
// same CPU time, or one minute for twenty servers; GitHub Pages takes 1 GB. Twice gives
// equal bytes, and one more run changes only what it must.
func TestThreeThousandCommits(t *testing.T) {
	sizes := []size{{60, 3, 20 * time.Second, 8}} // more than the leaderboards that are kept; beside other tests CPU time counts for little
	if os.Getenv("FAIRSTREAM_LONG") != "" {
		sizes = []size{{3000, 8, 60 * time.Second, 400}, {3000, 20, 120 * time.Second, 900}}
	}
	for _, z := range sizes {
		t.Run(fmt.Sprint(z.servers, " servers"), func(t *testing.T) {
			dir := t.TempDir()
			facts, bytes := z.simulate(t, dir)
			runtime.GC()
			before := used(t)
			all := z.build(t, facts)
			took := used(t) - before
			var usage syscall.Rusage
			if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d commits, %d MB: %.1f s of CPU time, at most %d MB of memory; %d files, %d MB; gzipped: manifest and commits %d KB, one series %d KB",
				z.commits, bytes>>20, took.Seconds(), usage.Maxrss>>10, len(all.files), all.bytes>>20, all.first>>10, all.whole>>10)
			if took > z.cpu {
				t.Errorf("%v of CPU time, want at most %v", took, z.cpu)
			}
			if all.bytes > z.siteMB<<20 {
				t.Errorf("%d MB of site, want at most %d", all.bytes>>20, z.siteMB)
			}
			if z.servers > 8 { // the rest does not depend on how many there are
				return
			}
			if again := z.build(t, facts); !maps.EqualFunc(all.files, again.files, slices.Equal) {
				t.Errorf("other bytes of the same facts: %q", changed(all.files, again.files))
			}
			last := simulate.SHA(z.commits - 1)
			facts.Files = lacking{facts.Files, last}
			z.commits--
			less := z.build(t, facts)
			got := kinds(t, less.files, all.files, last)
			// There are no details before.
			want := map[string]int{
				"data/commits": 1, "data/manifest": 1, "data/runs": 1, "history/": all.series, "latest": 2, "picture": 1, "details": 1, "runs": 2,
			}
			if !maps.Equal(got, want) {
				t.Errorf("a run more changes %v, want %v", got, want)
			}
		})
	}
}

// simulate writes a history, and says how many bytes it has.
func (z size) simulate(t *testing.T, dir string) (site.Facts, int64) {
	var bytes int64
	h, err := simulate.Write(simulate.Options{Commits: z.commits, Servers: z.servers, Seed: 1, Details: true}, func(path string, data []byte) error {
		bytes += int64(len(data))
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return site.Facts{Files: os.DirFS(dir), Main: h.Main, Renamed: h.Renamed, Acceptances: h.Acceptances, IsAncestor: func(string, string) (bool, error) { return true, nil }}, bytes
}

// A sum is what a site comes to: of its files the hashes.
type sum struct {
	files               written
	bytes, first, whole int64
	series              int // files of the history
}

func (z size) build(t *testing.T, facts site.Facts) sum {
	s := sum{files: written{}}
	var mutex sync.Mutex
	out := filepath.Join(t.TempDir(), "out")
	built, err := site.Build(facts, func(path string, data []byte) error {
		hash := sha256.Sum256(data)
		var first, whole int64
		if strings.HasPrefix(path, "data/commits.") || path == "data/manifest.json" {
			first = squeezed(data)
		}
		if path == "history/stress-100/rate_per_s.json" {
			whole = squeezed(data)
		}
		if (strings.HasPrefix(path, "data/") || strings.HasPrefix(path, "history/")) && len(data) > 2e6 {
			t.Errorf("%s: %d bytes, want at most 2 MB", path, len(data))
		}
		mutex.Lock()
		if s.files[path] = hash[:]; strings.HasPrefix(path, "history/") {
			s.series++
		}
		s.bytes, s.first, s.whole = s.bytes+int64(len(data)), s.first+first, s.whole+whole
		mutex.Unlock()
		// As slow as a disk that has to make files.
		return os.WriteFile(out, data, 0o644)
	}, func(string) {})
	if m := built.Manifest; err != nil || m.Commits.Count != z.commits || len(m.Broken) > 0 {
		t.Fatalf("%v: %d commits, broken %v", err, m.Commits.Count, m.Broken)
	}
	return s
}

// lacking is a history without the files of one commit.
type lacking struct {
	fs.FS
	commit string
}

func (l lacking) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(l.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.Contains(e.Name(), l.commit) }), err
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
func squeezed(data []byte) int64 {
	var n counter
	z := gzip.NewWriter(&n)
	z.Write(data) // the test made the file
	z.Close()     // the test made the file
	return int64(n)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
