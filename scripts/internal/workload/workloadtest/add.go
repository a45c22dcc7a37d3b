// Package workloadtest names servers for tests, and adds a made-up workload, so that code is seen to know several.
package workloadtest

import (
	"slices"
	"testing"

	"fairstream/scripts/internal/workload"
)

// MadeUp is the name of the workload that Add makes. No real workload has it.
const MadeUp = "made-up"

// Add adds a workload for the time of a test. It is the first one with another name, other scenarios, and
// another chart. Tests that call it are not parallel, since all read one list.
func Add(t *testing.T) workload.Workload {
	t.Helper()
	all := workload.All
	t.Cleanup(func() { workload.All = all })
	w := all[0]
	w.Name, w.Stub = MadeUp, []string{MadeUp}
	w.Scenarios = []workload.Scenario{{Name: "calm", Columns: w.Scenarios[0].Columns}, w.Scenarios[len(w.Scenarios)-1]}
	w.CostIn = []string{"calm"}
	w.Charts = []workload.Chart{{Scenario: "calm", Metric: "server_cpu_x_rig", Label: "CPU x rig", Headline: true}}
	calm := workload.Criterion{Scenario: "calm", Metric: w.Cost.Metric, Floor: 0.015, Margin: 0.03, Decides: "CPU"}
	w.Criteria = append([]workload.Criterion{calm}, slices.DeleteFunc(slices.Clone(w.Criteria), func(c workload.Criterion) bool {
		return w.ScenarioOf(c.Scenario) != w.Scenarios[1].Name
	})...)
	workload.All = append(slices.Clip(all), w)
	return w
}

// Relay are servers of that workload.
func Relay(names ...string) (all []workload.Server) {
	for _, name := range names {
		all = append(all, workload.Server{Workload: "relay", Name: name})
	}
	return all
}
