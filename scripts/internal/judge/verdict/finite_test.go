package verdict

import (
	"math"
	"testing"
)

// Figures that nothing measures cost their own cell, and no other. JSON has no infinity, so one such cell
// would keep all events of a run out of the history.
func TestACellWithoutAFiniteLogarithmIsNotMeasured(t *testing.T) {
	const name = "steady server_cpu_us_per_stream"
	for what, figures := range map[string]func(round int) At{
		"beyond a ratio": func(int) At { return At{1e-300, 1e13} },
		"alternating": func(round int) At {
			if round%2 == 0 {
				return At{5e-324, 1e308}
			}
			return At{1e308, 5e-324}
		},
		"the smallest number": func(int) At { return At{5e-324, 1e13} },
		"infinite":            func(int) At { return At{1, math.Inf(1)} },
		"in one round": func(round int) At {
			if round == 3 {
				return At{1e-300, 1e13}
			}
			return At{100, 100}
		},
	} {
		p := comparisonOf(12, 0.005, map[string]float64{"stress rate_per_s": 0.9})
		for i := range p.Rounds {
			p.Rounds[i].Cells[name] = figures(i)
		}
		a := Judge(p)
		if got := cellOf(a, name); got.Verdict != NotMeasured {
			t.Errorf("%s: %s, want %s", what, got.Verdict, NotMeasured)
		}
		if got := cellOf(a, "stress rate_per_s"); got.Verdict != Regressed || a.Verdict != Regressed {
			t.Errorf("%s: the other cell is %s, the server %s; want %s", what, got.Verdict, a.Verdict, Regressed)
		}
		for _, c := range a.Cells {
			for _, v := range []float64{c.Base, c.Head, c.Change, c.Low, c.High, c.P, c.Risk} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s: %s %s has %+v", what, c.Scenario, c.Metric.Name, c)
				}
			}
		}
	}
}
