// Package accept reads acceptances: files of main in which somebody accepts that a server got worse. An
// accepted regression stays visible, and opens no issue. The package does not judge anything.
package accept

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/k6/shared/strict"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Dir is the directory of the files in the project.
const Dir = "gh-pages/accepted"

// An Acceptance accepts regressions of one server since one commit.
type Acceptance struct {
	File     string  `json:"-"` // base name
	Workload string  `json:"workload"`
	Server   string  `json:"server"`
	Scenario string  `json:"scenario"` // a pattern of path.Match: stress*
	Metric   string  `json:"metric"`   // as above
	Since    string  `json:"since"`    // full hash of the commit that made it worse
	Reason   string  `json:"reason"`
	By       string  `json:"by"`
	Expires  *string `json:"expires"` // its last day in UTC, 2027-01-31; null: no end
}

// keys lists all keys of a file. A missing key is a mistake, so none has a default.
var keys = []string{"workload", "server", "scenario", "metric", "since", "reason", "by", "expires"}

// mostText limits a reason and its author, in bytes.
const mostText = 280

// Read reads all files of a directory by name, and none without the directory. It skips a file that it cannot
// read, and the error names all of those.
func Read(dir string) (all []Acceptance, broken error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("acceptances: %w", err)
	}
	for _, e := range entries {
		a, err := readFile(dir, e)
		if err != nil {
			broken = errors.Join(broken, fmt.Errorf("acceptances: %s/%s: %w", Dir, e.Name(), err))
			continue
		}
		all = append(all, a)
	}
	return all, broken
}

func readFile(dir string, e fs.DirEntry) (a Acceptance, err error) {
	if !strings.HasSuffix(e.Name(), ".json") || !e.Type().IsRegular() {
		return a, errors.New("want regular files called NAME.json only")
	}
	text, err := os.ReadFile(filepath.Join(dir, e.Name()))
	if err != nil {
		return a, err
	}
	a, err = parse(text)
	a.File = e.Name()
	return a, err
}

func parse(text []byte) (a Acceptance, err error) {
	var have map[string]json.RawMessage
	if err := json.Unmarshal(text, &have); err != nil {
		return a, fmt.Errorf("%w; want one JSON object with the keys %s", err, strings.Join(keys, ", "))
	}
	for _, key := range keys {
		if _, ok := have[key]; !ok {
			return a, fmt.Errorf("%s is missing; want the keys %s", key, strings.Join(keys, ", "))
		}
	}
	if err := strict.Decode(text, &a); err != nil {
		return a, fmt.Errorf("%w; want the keys %s", err, strings.Join(keys, ", "))
	}
	return a, a.check()
}

func (a Acceptance) check() error {
	if err := a.ID().Check(); err != nil {
		return fmt.Errorf("%w; want those of a directory of servers/", err)
	}
	if !record.IsCommit(a.Since) {
		return fmt.Errorf("since: %q; want the full hash of the commit that made it worse, 40 digits in lower case", a.Since)
	}
	for key, text := range map[string]string{"reason": a.Reason, "by": a.By} {
		if strings.TrimSpace(text) == "" || len(text) > mostText {
			return fmt.Errorf("%s: %d bytes; want 1 to %d", key, len(text), mostText)
		}
	}
	if a.Expires != nil {
		if _, err := time.Parse(time.DateOnly, *a.Expires); err != nil {
			return fmt.Errorf("expires: %q; want a day such as 2027-01-31, or null", *a.Expires)
		}
	}
	if _, err := path.Match(a.Scenario+a.Metric, ""); err != nil {
		return fmt.Errorf("scenario %q, metric %q: %w; want globs such as stress*", a.Scenario, a.Metric, err)
	}
	var cells []string
	for _, c := range workload.Named(a.Workload).Criteria {
		if a.Covers(c.Scenario, c.Metric) {
			return nil
		}
		cells = append(cells, c.Name())
	}
	return fmt.Errorf("scenario %q, metric %q: fit no cell; there are %s", a.Scenario, a.Metric, strings.Join(cells, ", "))
}

// ID is the server whose regressions are accepted.
func (a Acceptance) ID() workload.Server {
	return workload.Server{Workload: a.Workload, Name: a.Server}
}

// Covers reports whether an acceptance covers a cell.
func (a Acceptance) Covers(scenario, metric string) bool {
	s, err1 := path.Match(a.Scenario, scenario)
	m, err2 := path.Match(a.Metric, metric)
	return s && m && err1 == nil && err2 == nil
}

// All reports whether it covers every cell, and therefore a failing server too.
func (a Acceptance) All() bool { return a.Scenario == "*" && a.Metric == "*" }

// Valid returns the acceptances of a server that have not expired.
func Valid(all []Acceptance, server workload.Server, now time.Time) []Acceptance {
	return slices.DeleteFunc(slices.Clone(all), func(a Acceptance) bool {
		return a.ID() != server || a.Expires != nil && now.UTC().Format(time.DateOnly) > *a.Expires
	})
}

// Between returns the acceptances of commits after base and up to head, since a later regression of the same
// cell is another one. isAncestor reports whether a commit is in the history of another.
func Between(all []Acceptance, base, head string, isAncestor func(commit, of string) (bool, error)) (between []Acceptance, err error) {
	for _, a := range all {
		before, err := isAncestor(a.Since, base)
		if err != nil {
			return nil, err
		}
		within, err := isAncestor(a.Since, head)
		if err != nil {
			return nil, err
		}
		if within && !before {
			between = append(between, a)
		}
	}
	return between, nil
}

// Find returns the first acceptance of a cell; nil without one.
func Find(all []Acceptance, scenario, metric string) *Acceptance {
	for i := range all {
		if all[i].Covers(scenario, metric) {
			return &all[i]
		}
	}
	return nil
}

// Levels maps each server to the commits whose slowdown somebody accepted. Expired acceptances do not count.
// The error names unreadable files; the others count.
func Levels(root string, now time.Time) (map[workload.Server][]string, error) {
	all, unread := Read(filepath.Join(root, Dir))
	since := map[workload.Server][]string{}
	for _, a := range all {
		for _, a := range Valid([]Acceptance{a}, a.ID(), now) {
			since[a.ID()] = append(since[a.ID()], a.Since)
		}
	}
	return since, unread
}
