// Package session takes servers through their life: set up, build, verify, load, and keep the records. All
// commands that start processes use it. It does not judge.
package session

import (
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/workload"
)

// Options are the flags of commands that load.
type Options struct {
	Scenarios string        // names, separated by commas; "": all of the workload but its soak
	Dir       string        // directory of raw files and records; "" chooses raw/START
	raw.Asked               // a Seed of 0 chooses one at random
	Within    time.Duration // limit of the load of a comparison, instead of Rounds; 0: none
	Placement string        // "" chooses by the number of cores
	Resume    bool          // continue with the raw files in Dir
	Many      bool          // Dir has a directory for each of several comparisons, and may have some already
}

// A Session loads targets with the same options, once or several times.
type Session struct {
	Options
	root      string
	workload  workload.Workload
	scenarios []string
	placement load.Placement
	tools     map[string]string // versions, set by Prepare
	rig       string            // hash, set by Prepare
	pages     func() fs.FS      // builds the parts of the report; nil: no report
}

// New checks options for a workload and completes them. It starts nothing.
func New(root string, w workload.Workload, o Options) (*Session, error) {
	scenarios, err := chooseScenarios(w, o.Scenarios)
	if err != nil {
		return nil, err
	}
	if o.Rounds < 1 {
		return nil, cli.Usagef("-rounds %d: want 1 or more", o.Rounds)
	}
	for _, f := range []struct {
		name      string
		ms        int64
		most      time.Duration
		scenarios []string // scenarios that the flag changes
	}{
		{"for", o.LoadMS, 24 * time.Hour, append(w.Paced(), record.Compare)},
		{"slice", o.SliceMS, time.Minute, append(w.Sliced(), record.Compare)}, // some open hundreds of connections
	} {
		is := time.Duration(f.ms) * time.Millisecond
		if is != 0 && (is < 100*time.Millisecond || is > f.most) {
			return nil, cli.Usagef("-%s %v: want %v to %v", f.name, is, 100*time.Millisecond, f.most)
		}
		if is != 0 && !slices.ContainsFunc(scenarios, func(s string) bool { return slices.Contains(f.scenarios, s) }) {
			return nil, cli.Usagef("-%s %v: has no effect on %s; use it with %s", f.name, is, strings.Join(scenarios, " and "), strings.Join(f.scenarios, ", "))
		}
	}
	placement, err := load.ParsePlacement(o.Placement)
	if err != nil {
		return nil, cli.UsageError{Err: err}
	}
	if o.Seed == 0 {
		o.Seed = rand.Uint64N(1 << 32)
	}
	return &Session{Options: o, root: root, workload: w, scenarios: scenarios, placement: placement}, nil
}

func chooseScenarios(w workload.Workload, list string) ([]string, error) {
	if list == "" {
		return w.ScenarioNames(), nil
	}
	known := record.Loadable(w)
	var chosen []string
	for name := range strings.SplitSeq(list, ",") {
		name = w.ScenarioOf(strings.TrimSpace(name))
		if !slices.Contains(known, name) {
			return nil, cli.Usagef("scenario %q: unknown; %s has %s", name, w.Name, strings.Join(known, ", "))
		}
		if !slices.Contains(chosen, name) {
			chosen = append(chosen, name)
		}
	}
	if len(chosen) > 1 && slices.Contains(chosen, record.Compare) {
		return nil, cli.Usagef("scenario %q: its records have the same names as those of %s; load it alone", record.Compare, strings.Join(w.ScenarioNames(), ", "))
	}
	return chosen, nil
}

// scripts are those that load the chosen scenarios. ranked are the scenarios of a ranking among them.
func (s *Session) scripts() (scripts, ranked []string) {
	for _, name := range s.scenarios {
		if slices.Contains(s.workload.ScenarioNames(), name) {
			name, ranked = record.Ranking, append(ranked, name)
		}
		if !slices.Contains(scripts, name) {
			scripts = append(scripts, name)
		}
	}
	return scripts, ranked
}
