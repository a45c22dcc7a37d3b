package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
)

// An Endpoint is the times of the requests of one name to one target, over rounds.
type Endpoint struct {
	Target string
	Counts hist.Counts // in microseconds
}

// Endpoints reads the times of the requests of a name from the raw files in dir. counts says which rounds count. The scenario is the
// first whose requests have that name and whose targets share their instants.
func Endpoints(dir, name string, counts func(server string, round int) bool) (all []Endpoint, err error) {
	var run raw.Run
	if err := raw.ReadJSON(filepath.Join(dir, raw.RunFile), &run); err != nil {
		return nil, fmt.Errorf("endpoint: %w; the raw files of the comparison have the times of requests", err)
	}
	rounds, err := started(dir)
	if err != nil {
		return nil, fmt.Errorf("endpoint: %w", err)
	}
	var known []string
	for _, round := range rounds {
		for _, scenario := range run.Scenarios {
			l, ok, err := readK6Run(raw.Dir(dir, round, scenario.Name, ""), run.Workload)
			if errors.Is(err, fs.ErrNotExist) || !ok {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("endpoint: %w", err)
			}
			for _, of := range l.summary.Loads {
				server, side, _ := strings.Cut(of.Target, "@")
				if _, level := Level(Scenario(scenario.Name, of.Level)); level != "" || of.Level == raw.WarmUp || side == "" || !counts(server, round) {
					continue
				}
				for _, n := range of.Named {
					if !slices.Contains(known, n.Name) {
						known = append(known, n.Name)
					}
					if n.Name == name {
						all = add(all, of.Target, n.Counts)
					}
				}
			}
		}
	}
	if all == nil {
		slices.Sort(known)
		return nil, fmt.Errorf("endpoint %q: no requests of that name in the rounds that count; known are %s", name, strings.Join(known, ", "))
	}
	slices.SortFunc(all, func(a, b Endpoint) int { return strings.Compare(a.Target, b.Target) })
	return all, nil
}

func add(all []Endpoint, target string, c hist.Counts) []Endpoint {
	i := slices.IndexFunc(all, func(e Endpoint) bool { return e.Target == target })
	if i < 0 {
		i, all = len(all), append(all, Endpoint{Target: target})
	}
	all[i].Counts.Merge(c)
	return all
}
