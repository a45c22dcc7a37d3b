package site

import (
	"cmp"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// noTrend are metrics about the quality of a record, and metrics that no scenario of
// main measures. The runs' files have them.
var noTrend = []string{"streams", "requests", "in_flight_mean", "samples", "sampler_cpu_mean_pct"}

// trended are the metrics of each workload that have series.
var trended = func() map[string][]record.Metric {
	all := map[string][]record.Metric{}
	for _, name := range workload.Names() {
		all[name] = slices.DeleteFunc(slices.Clone(record.Table(name)), func(m record.Metric) bool {
			return slices.Contains(noTrend, m.Name) || strings.Contains(m.Name, "_slope_")
		})
	}
	return all
}()

// trendedAt is the place of a metric in trended; -1: it has no series.
func trendedAt(workload, name string) int {
	return slices.IndexFunc(trended[workload], func(m record.Metric) bool { return m.Name == name })
}

// scale makes MB of bytes, as everywhere.
func scale(m record.Metric) float64 {
	if m.Unit == "bytes" {
		return 1e-6
	}
	return 1
}

// labelOf is a metric's label as the site has it, which can write µ and does so in units.
func labelOf(m record.Metric) string { return strings.Replace(m.Label, "us/", "µs/", 1) }

func metricForms(w workload.Workload) []Metric {
	all := []Metric{}
	for _, m := range trended[w.Name] {
		all = append(all, Metric{Name: m.Name, Label: labelOf(m), Unit: m.Unit, Better: m.Better, Means: m.Means, Scale: scale(m), Absolute: record.Absolute(m.Name)})
	}
	return all
}

// columnForms are the columns of each scenario.
func columnForms(w workload.Workload) map[string][]string {
	all := map[string][]string{}
	for _, s := range append(w.Scenarios[:len(w.Scenarios):len(w.Scenarios)], w.Soak) {
		for _, c := range s.Columns {
			all[s.Name] = append(all[s.Name], c.Metric)
		}
	}
	return all
}

// byLoad orders scenarios as the workload does, levels by their number, and other scenarios by name.
func byLoad(w workload.Workload) func(a, b string) int {
	ours := w.ScenarioNames()
	key := func(s string) (place int, level string) {
		name, level := record.Level(s)
		if place = slices.Index(ours, name); place < 0 {
			place = len(ours)
		}
		return place, level
	}
	return func(a, b string) int {
		placeA, levelA := key(a)
		placeB, levelB := key(b)
		if placeA == placeB && placeA < len(ours) {
			return record.CompareLevels(levelA, levelB)
		}
		return cmp.Or(placeA-placeB, strings.Compare(a, b))
	}
}
