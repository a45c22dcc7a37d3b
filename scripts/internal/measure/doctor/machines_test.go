package doctor

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
)

// A copied machine is files as they were read, and those that differ when they
// are read again 2 s later: in the archive these are below later/.
type copied struct{ files, later fstest.MapFS }

// names of the archives in testdata.
var names = []string{"quiet", "battery", "vm", "container"}

func open(t testing.TB, name string) copied {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	c := copied{fstest.MapFS{}, fstest.MapFS{}}
	for _, f := range archive.Files {
		if path, ok := strings.CutPrefix(f.Name, "later/"); ok {
			c.later[path] = &fstest.MapFile{Data: f.Data}
		} else {
			c.files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return c
}

// set changes files; with no text a file is gone. A path below later/ is read
// only the second time.
func (c copied) set(files map[string]string) {
	for path, text := range files {
		in := c.files
		if rest, ok := strings.CutPrefix(path, "/later"); ok {
			in, path = c.later, rest
		}
		if path = path[1:]; text == gone {
			delete(in, path)
		} else {
			in[path] = &fstest.MapFile{Data: []byte(text)}
		}
	}
}

const gone = "\x00"

func (c copied) look(t testing.TB) []Finding {
	t.Helper()
	now := maps.Clone(c.files)
	found, err := Look(now, func() error {
		maps.Copy(now, c.later)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// byName finds a finding.
func byName(t testing.TB, findings []Finding, name string) Finding {
	t.Helper()
	for _, f := range findings {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no finding %q", name)
	return Finding{}
}

// states is the state of each finding.
func states(findings []Finding) map[string]State {
	all := map[string]State{}
	for _, f := range findings {
		all[f.Name] = f.State
	}
	return all
}
