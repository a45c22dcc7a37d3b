// Package branch keeps the records of main on the branch gh-pages. It makes from checked artifacts what a run adds:
// records, events, chart points and a summary. It pushes them, reads them again, and makes the site of them. Each run has
// files that never change. One file of chart points serves the site and github-action-benchmark.
package branch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/record"
)

// Suites of github-action-benchmark. That tool has one direction for all points of a suite. The workflow has
// the same strings. The schema is a part of the name, since a metric's meaning may change with it.
var (
	Bigger  = fmt.Sprintf("throughput, records v%d", record.Schema)
	Smaller = fmt.Sprintf("latency, cost and memory, records v%d", record.Schema)
)

// prefix turns the JSON into a script for the page of github-action-benchmark. That action removes this many
// bytes, so nothing may precede it.
const prefix = "window.BENCHMARK_DATA = "

// maxChart limits the file of chart points in bytes, to about 70 commits of eight servers. Every reader
// fetches the file and every run writes it. Git stores each fiftieth version in full, so 900 kB cost 3 kB a
// run. Older points stay in runs/.
const maxChart = 300_000

// A Chart has the keys of github-action-benchmark's data, and no others.
type Chart struct {
	LastUpdate int64              `json:"lastUpdate"` // ms since 1970
	RepoURL    string             `json:"repoUrl"`
	Entries    map[string][]Entry `json:"entries"` // by suite, by the commits' time
}

// An Entry holds the points of one commit in one suite.
type Entry struct {
	Commit  Commit  `json:"commit"`
	Date    int64   `json:"date"` // of the run, ms since 1970
	Tool    string  `json:"tool"`
	Benches []Bench `json:"benches"`
}

// A Commit is a commit as a chart shows it.
type Commit struct {
	Author    Person    `json:"author"`
	Committer Person    `json:"committer"`
	ID        string    `json:"id"`
	Message   string    `json:"message"`
	Timestamp time.Time `json:"timestamp"`
	URL       string    `json:"url"`
}

// A Person is an author. The chart leaves out the mail address.
type Person struct {
	Name     string `json:"name"`
	Username string `json:"username,omitempty"`
}

// A Bench is one point of the series Name.
type Bench struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Range string  `json:"range,omitempty"`
	Extra string  `json:"extra,omitempty"`
}

// ParseChart reads a chart, with the prefix or without. An empty text is a chart without points. Unknown keys
// are dropped, since the action writes more of them.
func ParseChart(data []byte) (Chart, error) {
	c := Chart{Entries: map[string][]Entry{}}
	data = bytes.TrimPrefix(data, []byte(prefix))
	if len(bytes.TrimSpace(data)) == 0 {
		return c, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&c); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("it ends too early")
		}
		return c, fmt.Errorf("no chart data: byte %d: %w", dec.InputOffset(), err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return c, fmt.Errorf("no chart data: byte %d: text after the JSON", dec.InputOffset())
	}
	if c.Entries == nil {
		c.Entries = map[string][]Entry{}
	}
	return c, nil
}

// Script is the chart as data.js. encoding/json escapes <, >, & and JavaScript's line separators, so a commit
// message cannot end a string or a script.
func (c Chart) Script() ([]byte, error) {
	data, err := json.Marshal(c)
	return append([]byte(prefix), data...), err
}

// JSON is the chart as github-action-benchmark's external data.
func (c Chart) JSON() ([]byte, error) { return json.Marshal(c) }

// Last returns the last entry of a commit in a suite, since the action appends.
func (c Chart) Last(suite, commit string) (Entry, bool) {
	for _, e := range slices.Backward(c.Entries[suite]) {
		if e.Commit.ID == commit {
			return e, true
		}
	}
	return Entry{}, false
}

// maxMessage limits a commit message in a chart, in characters.
const maxMessage = 120

// Merge adds an entry. Each commit has one entry. A rerun replaces its own points and keeps the others, so a
// rerun of one server does not remove seven.
func (c *Chart) Merge(suite string, e Entry) {
	e.Commit.Message = firstLine(e.Commit.Message)
	entries := c.Entries[suite]
	i := slices.IndexFunc(entries, func(old Entry) bool { return old.Commit.ID == e.Commit.ID })
	if i < 0 {
		entries = append(entries, e)
	} else {
		old := &entries[i]
		for _, b := range e.Benches {
			if at := slices.IndexFunc(old.Benches, func(o Bench) bool { return o.Name == b.Name }); at >= 0 {
				old.Benches[at] = b
			} else {
				old.Benches = append(old.Benches, b)
			}
		}
		slices.SortFunc(old.Benches, func(a, b Bench) int { return strings.Compare(a.Name, b.Name) })
		old.Commit, old.Date, old.Tool = e.Commit, e.Date, e.Tool
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.Commit.Timestamp.Compare(b.Commit.Timestamp) })
	c.Entries[suite] = entries
}

func firstLine(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	if runes := []rune(line); len(runes) > maxMessage {
		return string(runes[:maxMessage]) + "…"
	}
	return line
}

// Trim drops the oldest entries until the script has at most limit bytes.
func (c *Chart) Trim(limit int) error {
	for {
		script, err := c.Script()
		if err != nil || len(script) <= limit {
			return err
		}
		// Several at a time, since encoding the chart once for each takes minutes.
		for excess := len(script) - limit; excess > 0; {
			oldest := ""
			for suite, entries := range c.Entries {
				if len(entries) > 0 && (oldest == "" || older(entries[0], c.Entries[oldest][0], suite < oldest)) {
					oldest = suite
				}
			}
			if oldest == "" {
				return fmt.Errorf("chart of %d bytes without an entry; want at most %d", len(script), limit)
			}
			entry, err := json.Marshal(c.Entries[oldest][0])
			if err != nil {
				return err
			}
			excess -= len(entry) + len(",")
			c.Entries[oldest] = c.Entries[oldest][1:]
		}
	}
}

func older(a, b Entry, tie bool) bool {
	order := a.Commit.Timestamp.Compare(b.Commit.Timestamp)
	return order < 0 || order == 0 && tie
}

// Before returns the chart as it was before a commit. Each suite gets one entry with the newest point of
// every series, from commits older than at. The action compares with the last entry only. So a rerun of an
// old commit meets the right points, and a run of one server finds a point at all.
func (c Chart) Before(commit string, at time.Time) Chart {
	before := Chart{LastUpdate: c.LastUpdate, RepoURL: c.RepoURL, Entries: map[string][]Entry{}}
	for suite, entries := range c.Entries {
		latest := map[string]Bench{}
		var last *Entry
		for i, e := range entries { // by time
			if e.Commit.ID == commit || !e.Commit.Timestamp.Before(at) {
				continue
			}
			last = &entries[i]
			for _, b := range e.Benches {
				latest[b.Name] = b
			}
		}
		if last == nil {
			continue
		}
		known := *last
		known.Benches = nil
		for _, b := range latest {
			known.Benches = append(known.Benches, b)
		}
		slices.SortFunc(known.Benches, func(a, b Bench) int { return cmp.Compare(a.Name, b.Name) })
		before.Entries[suite] = []Entry{known}
	}
	return before
}
