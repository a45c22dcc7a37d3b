// Package workload lists the workloads, what each measures its servers with, and how
// servers are called. A workload is a contract that servers implement. There is a file
// for each; nothing else lists their scenarios, levels or columns. It holds data only.
package workload

import (
	"slices"
	"strings"
)

// A Workload is what its servers are measured with.
type Workload struct {
	Name      string
	Scenarios []Scenario // in the order of display; run loads all of them
	Soak      Scenario

	// Servers are ranked by what a stream costs, in the first of CostIn that was
	// loaded, and by throughput, on the fullest level.
	Cost, Throughput Column
	CostIn           []string

	Leaderboard []string // metrics that the leaderboard has of each scenario
	Charts      []Chart  // of the history
}

// A Scenario is a load shape. Without levels all targets are loaded side by side at
// a pace; on a level they take slices.
type Scenario struct {
	Name     string
	Levels   []string
	Compared []string // the levels that a comparison has
	Columns  []Column // of its table
}

// A Chart is a metric of the history in one scenario.
type Chart struct {
	Scenario, Metric string
	Label            string
	Headline         bool // it is one of the fewest that say something of everything
}

// All are the workloads. The first is meant where none is named.
var All = []Workload{relay}

// Find is a workload by its name; ok is false for an unknown one.
func Find(name string) (w Workload, ok bool) {
	i := slices.IndexFunc(All, func(w Workload) bool { return w.Name == name })
	if i < 0 {
		return w, false
	}
	return All[i], true
}

// ScenarioNames are those that run loads when none is named.
func (w Workload) ScenarioNames() (names []string) {
	for _, s := range w.Scenarios {
		names = append(names, s.Name)
	}
	return names
}

// ComparedRecords are what the records of each k6 run of a comparison are called:
// all of them, so that none can be left out that went badly.
func (w Workload) ComparedRecords() (names []string) {
	for _, s := range w.Scenarios {
		if s.Levels == nil {
			names = append(names, s.Name)
		}
		for _, level := range s.Compared {
			names = append(names, s.Name+"-"+level)
		}
	}
	return names
}

// ScenarioOf is the scenario that has the records of a name: stress of stress-200. A
// name that is not that of a level stays.
func (w Workload) ScenarioOf(record string) string {
	for _, s := range w.Scenarios {
		if name, level, _ := strings.Cut(record, "-"); name == s.Name && slices.Contains(s.Levels, level) {
			return s.Name
		}
	}
	return record
}

// Columns are those of the table of a scenario, which may be called with its level.
// One that is not of the workload has those of the first with a level, or without.
func (w Workload) Columns(scenario string) []Column {
	name, _, on := strings.Cut(scenario, "-")
	all := append(w.Scenarios[:len(w.Scenarios):len(w.Scenarios)], w.Soak)
	i := slices.IndexFunc(all, func(s Scenario) bool { return s.Name == name })
	if i < 0 {
		i = slices.IndexFunc(all, func(s Scenario) bool { return (s.Levels != nil) == on })
	}
	return all[max(0, i)].Columns
}
