// Package session takes servers through their life: set up, build, verify, load, and keep the records. All
// commands that start processes use it. It does not judge.
package session

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/machines"
	"fairstream/scripts/internal/workload"
)

// Options are the flags of commands that load.
type Options struct {
	Scenarios string        // names, separated by commas; "": all of the workload but its soak
	Dir       string        // directory of raw files and records; "" chooses raw/START
	raw.Asked               // a Seed of 0 chooses one at random
	Within    time.Duration // limit of the load of a comparison, instead of Rounds; 0: none
	Placement string        // "" chooses by the number of cores
	Machines  string        // file that names a second machine, for k6 and the stub; "": there is none
	Resume    bool          // continue with the raw files in Dir
	Where     bool          // names the functions of each server that take most time, by perf
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

	machines machines.File
	machine  *machines.Machine // set by Begin; nil: there is no second one
	loadHost *raw.LoadHost     // its facts
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
	placement, file, err := placed(w, o)
	if err != nil {
		return nil, cli.UsageError{Err: err}
	}
	if o.Seed == 0 {
		o.Seed = rand.Uint64N(1 << 32)
	}
	return &Session{Options: o, root: root, workload: w, scenarios: scenarios, placement: placement, machines: file}, nil
}

// placed gives the cores and machines of programs.
func placed(w workload.Workload, o Options) (load.Placement, machines.File, error) {
	if o.Machines == "" {
		placement, err := load.ParsePlacement(o.Placement)
		return placement, machines.File{}, err
	}
	if w.Scripted {
		return "", machines.File{}, fmt.Errorf("-machines: servers of %s bring scripts of their own, which run here; leave it out", w.Name)
	}
	if o.Placement != "" && o.Placement != string(load.Shared) {
		return "", machines.File{}, fmt.Errorf("-placement %s: has no effect with -machines, since servers have a machine of their own; leave it out", o.Placement)
	}
	file, err := machines.Read(o.Machines)
	return load.Shared, file, err
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
