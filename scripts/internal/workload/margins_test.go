package workload

import (
	"maps"
	"math"
	"slices"
	"testing"
)

func TestMarginsOfAServerReplaceThoseOfTheWorkload(t *testing.T) {
	w, ok := Find("http")
	if !ok {
		t.Fatal("no such workload")
	}
	of := func(own map[string]float64, scenario, metric string) (floor, margin float64) {
		for _, c := range w.CriteriaWith(own) {
			if c.Scenario == scenario && c.Metric == metric {
				return c.Floor, c.Margin
			}
		}
		t.Fatal(scenario, metric)
		return 0, 0
	}
	same := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	for _, c := range []struct {
		own              map[string]float64
		scenario, metric string
		floor, margin    float64
	}{
		{nil, "mixed", "server_cpu_us_per_request", 0.015, 0.03},
		{map[string]float64{"cpu_pct": 20}, "mixed", "server_cpu_us_per_request", 0.10, 0.20},
		{map[string]float64{"cpu_pct": 2}, "mixed", "server_cpu_us_per_request", 0.015, 0.02},
		{map[string]float64{"cpu_pct": 1}, "mixed", "server_cpu_us_per_request", 0.015, 0.015},
		{map[string]float64{"cpu_pct": 20}, "stress", "rate_per_s", 0.015, 0.03},
		{map[string]float64{"throughput_pct": 6}, "stress", "rate_per_s", 0.03, 0.06},
		{map[string]float64{"latency_pct": 20}, "mixed", "request_p95_ms", 0.10, 0.20},
		{map[string]float64{"memory_pct": 10}, "stress-500", "server_rss_peak_bytes", 0.03, 0.10},
		{map[string]float64{"memory_pct": 10}, "mixed", "server_rss_slope_bytes_per_request", 16, 64},
	} {
		if floor, margin := of(c.own, c.scenario, c.metric); !same(floor, c.floor) || !same(margin, c.margin) {
			t.Errorf("%v: %s %s: floor %v, margin %v; want %v, %v", c.own, c.scenario, c.metric, floor, margin, c.floor, c.margin)
		}
	}
	if floor, margin := of(nil, "mixed", "server_cpu_us_per_request"); floor != 0.015 || margin != 0.03 {
		t.Error("the workload's own changed", floor, margin)
	}
	if got := MarginsText(map[string]float64{"latency_pct": 2.5, "cpu_pct": 5}); got != "CPU time 5 %, latency 2.5 %" {
		t.Error(got)
	}
}

// A pull request cannot widen the margin that judges it. It may narrow one.
func TestTheNarrowerMarginCounts(t *testing.T) {
	w, _ := Find("http")
	type own = map[string]float64
	for _, c := range []struct {
		base, head, want own
		changes          []string
	}{
		{nil, nil, nil, nil},
		{own{"cpu_pct": 5}, own{"cpu_pct": 5}, own{"cpu_pct": 5}, nil},
		{nil, own{"cpu_pct": 50, "memory_pct": 50}, nil, []string{
			"widens its CPU time margin from 3 to 50 %; this comparison still uses 3 %",
			"widens its memory margin from 5 to 50 %; this comparison still uses 5 %",
		}},
		{own{"latency_pct": 20}, own{"latency_pct": 7.5}, own{"latency_pct": 7.5}, []string{"narrows its latency margin from 20 to 7.5 %"}},
		{own{"throughput_pct": 20}, nil, nil, []string{"narrows its throughput margin from 20 to 3 %"}},
		{own{"cpu_pct": 2}, nil, own{"cpu_pct": 2}, []string{"widens its CPU time margin from 2 to 3 %; this comparison still uses 2 %"}},
		{own{"cpu_pct": 8}, own{"cpu_pct": 3}, nil, []string{"narrows its CPU time margin from 8 to 3 %"}},
	} {
		got, changes := w.NarrowerMargins(c.base, c.head)
		if !maps.Equal(got, c.want) || !slices.Equal(changes, c.changes) {
			t.Errorf("%v, %v: %v, %q; want %v, %q", c.base, c.head, got, changes, c.want, c.changes)
		}
	}
}
