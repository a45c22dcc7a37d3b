package site_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
)

// simulated are the facts of a small history, in which everything that can happen does.
func simulated(t *testing.T, commits, servers int) site.Facts {
	t.Helper()
	return simulatedWith(t, simulate.Options{Commits: commits, Servers: servers, Seed: 7})
}

// A history is what was simulated. Many tests begin with the same one.
type history struct {
	files fstest.MapFS
	simulate.History
}

var histories = struct {
	sync.Mutex
	of map[simulate.Options]history
}{of: map[simulate.Options]history{}}

func historyOf(t *testing.T, o simulate.Options) history {
	t.Helper()
	histories.Lock()
	defer histories.Unlock()
	if h, known := histories.of[o]; known {
		return h
	}
	h := history{files: fstest.MapFS{}}
	var err error
	h.History, err = simulate.Write(o, func(path string, data []byte) error {
		h.files[path] = &fstest.MapFile{Data: bytes.Clone(data)}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	histories.of[o] = h
	return h
}

// simulatedWith returns facts of the test's own. Their files must not be changed in place.
func simulatedWith(t *testing.T, o simulate.Options) site.Facts {
	t.Helper()
	h := historyOf(t, o)
	place := map[string]int{}
	for n := range o.Commits {
		place[simulate.SHA(n)] = n
	}
	return site.Facts{
		Files: maps.Clone(h.files), History: strings.Repeat("a", 40), Repository: "https://github.com/acme/fairstream",
		Main: slices.Clone(h.Main), Renamed: maps.Clone(h.Renamed), Acceptances: slices.Clone(h.Acceptances),
		IsAncestor: func(commit, of string) (bool, error) { return place[commit] <= place[of], nil },
	}
}

// written is what publish wrote, by path.
type written map[string][]byte

func build(t *testing.T, facts site.Facts) (written, site.Manifest) {
	t.Helper()
	s := written{}
	var mutex sync.Mutex
	_, err := site.Build(facts, func(path string, data []byte) error {
		mutex.Lock()
		defer mutex.Unlock()
		if _, twice := s[path]; twice {
			t.Errorf("%s is written twice", path)
		}
		s[path] = bytes.Clone(data)
		return nil
	}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	return s, get[site.Manifest](t, s, "data/manifest.json")
}

// get is a file of the site, read strictly.
func get[T any](t *testing.T, s written, path string) (v T) {
	t.Helper()
	data, ok := s[path]
	if !ok {
		t.Fatalf("%q is not there", path)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

// series are the points of a scenario's metric.
func series(t *testing.T, s written, name string) site.Series {
	t.Helper()
	return get[site.Series](t, s, "history/"+name+".json")
}

func unzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	data, err = io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// with is a history with other files added, or, of null, left out.
func with(facts site.Facts, files map[string][]byte) site.Facts {
	all := maps.Clone(facts.Files.(fstest.MapFS))
	for path, data := range files {
		delete(all, path)
		if data != nil {
			all[path] = &fstest.MapFile{Data: data}
		}
	}
	facts.Files = all
	return facts
}

func pathOf(t *testing.T, facts site.Facts, sha string) (found string) {
	fs.WalkDir(facts.Files, "runs", func(path string, _ fs.DirEntry, _ error) error { // its function returns none
		if strings.Contains(path, sha) && !strings.HasSuffix(path, ".leaderboard.jsonl") {
			found = path
		}
		return nil
	})
	return found
}

// recordsIn are those of a file of the history.
func recordsIn(t *testing.T, facts site.Facts, path string) []record.Record {
	t.Helper()
	text, err := fs.ReadFile(facts.Files, path)
	if err != nil {
		t.Fatal(err)
	}
	records, err := record.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return records
}
