package site_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

// shown are the files with every byte in the golden file. Of other files it has the
// name, which holds their hash. Compressed files have no hash in their name, and may
// change with the compiler.
var shown = []string{"data/manifest.json", "data/commits.", "history/stress-100/rate_per_s", "history/baseline/ttft_p95_overhead_ms.json", "latest.csv", "badge.json", "data/events", "data/runs"}

func TestGolden(t *testing.T) {
	s, _ := build(t, simulated(t, 20, 3))
	var got bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(&got, "-- %s --\n", path)
		if slices.ContainsFunc(shown, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
			fmt.Fprintf(&got, "%s\n", s[path])
		}
	}
	testfile.Check(t, "testdata/site.golden", got.Bytes())
}

// shuffled lists directories in another order each time.
type shuffled struct{ fs.FS }

func (s shuffled) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	rand.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return entries, err
}

func TestEqualBytes(t *testing.T) {
	facts := simulated(t, 30, 3)
	first, _ := build(t, facts)
	again, _ := build(t, facts)
	facts.Files = shuffled{facts.Files}
	other, _ := build(t, facts)
	for name, s := range map[string]written{"again": again, "shuffled": other} {
		if !maps.EqualFunc(first, s, bytes.Equal) {
			t.Errorf("%s: other files: %q", name, changed(first, s))
		}
	}
}

// changed are the paths that only one of two sites has, or both with other bytes.
func changed(a, b written) (paths []string) {
	for path := range a {
		if !bytes.Equal(a[path], b[path]) {
			paths = append(paths, path)
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

var (
	kindForm = regexp.MustCompile(`^(data/\w+|history/|latest|badge|picture)|^(runs|events|details)/`)
	hashForm = regexp.MustCompile(`\.[0-9a-f]{10}\.json$`)
)

// kinds are the kinds of files that differ between two sites, with their numbers. It
// fails for a file of another commit than the last.
func kinds(t *testing.T, before, after written, last string) map[string]int {
	t.Helper()
	names := map[string]bool{}
	n := map[string]int{}
	for _, path := range changed(before, after) {
		m := kindForm.FindStringSubmatch(path)
		if m == nil {
			t.Fatalf("%s: what is it?", path)
		}
		if m[2] != "" && !strings.Contains(path, last[:10]) {
			t.Errorf("%s is of another run", path)
		}
		// Old and new bytes have two names.
		if name := hashForm.ReplaceAllString(path, ""); !names[name] {
			names[name] = true
			n[m[1]+m[2]]++
		}
	}
	return n
}
