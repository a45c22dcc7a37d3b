package site

import (
	"bytes"
	"io/fs"
	"path"
	"strings"
)

// early is where Trend's head has what is asked for before its script has come
// (gh-pages/src/early.js).
const early = "<!--early-->"

// Built is what the pages need to know of the data.
type Built struct {
	Manifest Manifest
	First    []string // files that Trend reads when nothing is chosen
	Counts   Counts
}

// Counts are what the site has, of all workloads.
type Counts struct{ Commits, Servers, Comparisons, Series int }

func (c *Counts) add(m Manifest) {
	c.Commits += m.Commits.Count
	c.Servers += len(m.Servers)
	c.Comparisons += len(m.Comparisons)
	c.Series += len(m.Series)
}

// Pages writes the built site.
func Pages(built fs.FS, b Built, out Out) error {
	return fs.WalkDir(built, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasPrefix(path.Base(name), ".") || name == reportPage {
			return nil // a note about the build, and the report's page, which waits for a run
		}
		text, err := fs.ReadFile(built, name)
		if err != nil {
			return err
		}
		if path.Dir(name) == "trend" && len(b.First) > 0 {
			text = bytes.Replace(text, []byte(early), []byte(`<meta name="early" content="`+strings.Join(b.First, " ")+`">`), 1)
		}
		return out(name, text)
	})
}
