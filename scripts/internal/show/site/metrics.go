package site

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// noTrend are metrics about the quality of a record, and metrics that no scenario of
// main measures. The runs' files have them.
var noTrend = []string{"streams", "in_flight_mean", "samples", "sampler_cpu_mean_pct"}

// trended are the metrics that have series.
var trended = slices.DeleteFunc(slices.Clone(record.Table), func(m record.Metric) bool {
	return slices.Contains(noTrend, m.Name) || strings.Contains(m.Name, "_slope_")
})

// trendedAt is the place of a metric in trended; -1: it has no series.
func trendedAt(name string) int {
	return slices.IndexFunc(trended, func(m record.Metric) bool { return m.Name == name })
}

// beside is the same, over or added to what stands for the machine in the same seconds.
var beside = map[string]string{
	"rate_per_s":               "rate_x_direct",
	"server_cpu_us_per_stream": "server_cpu_x_rig",
	"stream_p95_ms":            "stream_p95_overhead_ms",
	"ttft_p50_ms":              "ttft_p50_overhead_ms",
	"ttft_p95_ms":              "ttft_p95_overhead_ms",
	"itl_p99_ms":               "itl_p99_overhead_ms",
	"token_delay_p50_ms":       "token_delay_p50_overhead_ms",
}

// absolute tells metrics that may be 0 or less, so their changes cannot be ratios.
func absolute(m record.Metric) bool {
	return m.Unit == record.MSOverhead || strings.HasPrefix(m.Unit, "%")
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

func metricForms() []Metric {
	all := []Metric{}
	for _, m := range trended {
		f := Metric{Name: m.Name, Label: labelOf(m), Unit: m.Unit, Better: m.Better, Means: m.Means, Scale: scale(m), Absolute: absolute(m)}
		if over, ok := beside[m.Name]; ok {
			f.Over = &over
		}
		all = append(all, f)
	}
	return all
}

// columnForms are the columns of each scenario.
func columnForms() map[string][]string {
	all := map[string][]string{}
	for _, s := range append(workload.All[0].Scenarios, workload.All[0].Soak) {
		for _, c := range s.Columns {
			all[s.Name] = append(all[s.Name], c.Metric)
		}
	}
	return all
}

// headlines are the charts that the front page has.
var headlines = func() (all []Headline) {
	for _, c := range workload.All[0].Charts {
		if c.Headline {
			all = append(all, Headline{c.Scenario, c.Metric})
		}
	}
	return all
}()

// byLoad orders scenarios: baseline, steady, stress by its VUs, others by name.
func byLoad(a, b string) int {
	ours := workload.All[0].ScenarioNames()
	key := func(s string) (int, int) {
		name, level := record.Level(s)
		vus, _ := strconv.Atoi(level) // 0 where it has no number of VUs
		place := slices.Index(ours, name)
		if place < 0 {
			place = len(ours)
		}
		return place, vus
	}
	placeA, vusA := key(a)
	placeB, vusB := key(b)
	return cmp.Or(placeA-placeB, vusA-vusB, strings.Compare(a, b))
}
