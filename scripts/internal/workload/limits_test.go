package workload

import (
	"fmt"
	"strings"
	"testing"
)

func TestHeadCannotExcuseItselfByItsLimits(t *testing.T) {
	for name, c := range map[string]struct {
		base, head map[string]float64
		agreed     string
		changes    string
	}{
		"none":          {nil, nil, "map[]", ""},
		"the same":      {map[string]float64{"memory_mb": 100}, map[string]float64{"memory_mb": 100}, "map[memory_mb:100]", ""},
		"a higher one":  {map[string]float64{"latency_p95_ms": 200}, map[string]float64{"latency_p95_ms": 300}, "map[latency_p95_ms:200]", "changes its limit latency_p95_ms from 200 to 300 ms; this comparison still uses 200 ms"},
		"dropped":       {map[string]float64{"memory_mb": 100}, nil, "map[memory_mb:100]", "drops its limit memory_mb; this comparison still uses 100 MB"},
		"a new one":     {nil, map[string]float64{"memory_mb": 100}, "map[memory_mb:100]", ""},
		"one and a new": {map[string]float64{"memory_mb": 100}, map[string]float64{"memory_mb": 100, "latency_p95_ms": 5}, "map[latency_p95_ms:5 memory_mb:100]", ""},
	} {
		agreed, changes := AgreedLimits(c.base, c.head)
		if fmt.Sprint(agreed) != c.agreed || strings.Join(changes, "; ") != c.changes {
			t.Errorf("%s: %v, %q", name, agreed, changes)
		}
	}
}

// Each limit is that of a deciding cell, in the workloads whose servers may have one.
func TestEachLimitHasACell(t *testing.T) {
	own := map[string]float64{}
	for i, name := range LimitNames() {
		own[name] = float64(i + 1)
	}
	for _, w := range All {
		if all := w.LimitsOf(own); (w.Declares || w.Scripted) && len(all) != len(own) {
			t.Errorf("%s: %d of %d limits have a cell", w.Name, len(all), len(own))
		}
	}
	for text, wrong := range map[string]map[string]float64{
		`unknown key "p95"; known are latency_p95_ms, memory_mb`: {"p95": 3},
		"memory_mb: 0; want a number above 0":                    {"memory_mb": 0},
	} {
		if err := CheckLimits(wrong); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v: %v; want %q", wrong, err, text)
		}
	}
}
