package site

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/report"
)

//go:embed newest.html
var templates embed.FS

var newestHTML = template.Must(template.New("").Funcs(template.FuncMap{
	"label": label, "figure": figure, "place": placeText, "cell": cellText, "state": state, "short": func(hash string) string { return cut(hash, 10) },
}).ParseFS(templates, "newest.html"))

// mark is what a page has where its newest figures are to stand, for those who read it
// without scripts.
const mark = "<!--newest-->"

// early is where Trend's head has what is asked for before its script has come
// (gh-pages/src/early.js).
const early = "<!--early-->"

// pagesOf are the templates of a page's directory.
var pagesOf = map[string][]string{".": {"flags", "leaderboard"}, "leaderboard": {"leaderboard"}, "regressions": {"flags"}}

// mostFlags are in a page.
const mostFlags = 10

// Pages writes the built site, with the newest figures in its pages.
func Pages(built fs.FS, b Built, out Out) error {
	return fs.WalkDir(built, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasPrefix(path.Base(name), ".") || name == reportPage {
			return nil // a note of how it was built, and a page that waits for a run of its own
		}
		text, err := fs.ReadFile(built, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".html" && bytes.Contains(text, []byte(mark)) {
			var tables bytes.Buffer
			for _, which := range pagesOf[path.Dir(name)] {
				if err := newestHTML.ExecuteTemplate(&tables, which, b); err != nil {
					return fmt.Errorf("publish: %s: %w", name, err)
				}
			}
			text = bytes.Replace(text, []byte(mark), tables.Bytes(), 1)
		}
		if path.Dir(name) == "trend" && len(b.First) > 0 {
			text = bytes.Replace(text, []byte(early), []byte(`<meta name="early" content="`+strings.Join(b.First, " ")+`">`), 1)
		}
		return out(name, text)
	})
}

// Built is what pages say without scripts.
type Built struct {
	Manifest Manifest
	Rank     *Rank // nil: there is none
	Flags    []Flag
	First    []string // files that Trend reads when nothing is chosen
}

// Shown are the newest flags.
func (b Built) Shown() []Flag { return b.Flags[:min(len(b.Flags), mostFlags)] }

func label(metric string) string {
	m, _ := record.Find(metric)
	return labelOf(m)
}

// figure is a cell's median and interval as text; three digits, as measurements have.
func figure(columns []string, i int, row Row) string {
	cell := row.Cells[i]
	switch {
	case cell == nil && row.Status == string(record.Invalid):
		return "failed"
	case cell == nil && row.Target == raw.Direct:
		return "–" // it has no server
	case cell == nil:
		return "unknown"
	}
	m, _ := record.Find(columns[i])
	show := func(v float64) string { return number(v * scale(m)) }
	if mid, low, high := show(cell[0]), show(cell[1]), show(cell[2]); low != high {
		return fmt.Sprintf("%s (%s to %s)", mid, low, high)
	}
	return show(cell[0])
}

// number has three digits and no exponent.
func number(v float64) string {
	short := record.Short(v, 3)
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// state is how things stand with a flag, in a word or two; as on the page with scripts.
func state(f Flag) string {
	switch {
	case f.Fixed != nil:
		return "fixed"
	case f.Verdict != string(verdict.Regressed):
		return f.Verdict
	case f.Acknowledged != nil && f.Acknowledged.Whole:
		return "acknowledged"
	case !f.Confirmed:
		return "not confirmed"
	}
	return "open"
}

func placeText(r Ranked) string {
	switch {
	case r.Best == 0:
		return "unknown"
	case r.Best == r.Worst:
		return strconv.Itoa(r.Best)
	}
	return fmt.Sprintf("%d to %d", r.Best, r.Worst)
}

// cellText is a cell's change with its 95 % interval, in the report's words.
func cellText(c archive.FlagCell) string {
	m, ok := record.Find(c.Metric)
	if !ok {
		m.Label = c.Metric
	}
	cell := verdict.Cell{Metric: m, Judged: verdict.Judged{Absolute: verdict.Absolute(c.Metric)}, Change: c.Change, Low: c.Low, High: c.High}
	return fmt.Sprintf("%s %s %s [%s]", c.Scenario, labelOf(m), report.Change(cell), report.Interval(cell))
}
