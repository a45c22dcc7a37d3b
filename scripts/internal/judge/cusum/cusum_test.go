package cusum

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
)

var cpu = Cell{"steady", "server_cpu_us_per_stream", 0.015}

// step is a comparison of two versions whose change of CPU time has a standard error of 0.3 %.
func step(base, head int, change float64, v verdict.Verdict) Step {
	const within = 0.003 * 2.20099 // t of 11 degrees of freedom
	return Step{base, head, verdict.Event{Base: fmt.Sprint(base), Head: fmt.Sprint(head), Verdict: v, Cells: []verdict.EventCell{{
		Scenario: cpu.Scenario, Metric: cpu.Metric, Verdict: v, Rounds: 12, Change: change,
		Low: math.Expm1(math.Log1p(change) - within), High: math.Expm1(math.Log1p(change) + within),
	}}}}
}

// chain is a comparison of each version with the one before.
func chain(from int, changes ...float64) (steps []Step) {
	for i, change := range changes {
		steps = append(steps, step(from+i, from+i+1, change, verdict.Unchanged))
	}
	return steps
}

func TestClimbs(t *testing.T) {
	none := verdict.Unchanged
	flat := chain(0, 0.001, -0.002, 0.002, -0.001)
	climb := append(flat, chain(4, 0.005, 0.004, 0.006, 0.005)...) // 2 %
	flat, climb = slices.Clip(flat), slices.Clip(climb)            // appending copies
	for _, c := range []struct {
		name  string
		steps []Step
		base  string // "" for no climb
	}{
		{"nothing", nil, ""},
		{"flat", flat, ""},
		{"four small ones", climb, "4"},
		{"the same downwards", append(flat, chain(4, -0.005, -0.004, -0.006, -0.005)...), "3"},
		{"two of them", climb[:6], ""},
		{"one goes back", append(climb, step(8, 9, -0.012, none)), ""},
		{"a version was not compared", append(climb[:5:5], append(chain(6, 0.006, 0.006, 0.006), climb[:1]...)...), "4"},
		{"one was compared again with its base", append(climb[:6:6], step(5, 7, 0.011, none), step(7, 8, 0.005, none)), "4"},
		{"a verdict reported it", append(climb[:7:7], step(7, 8, 0.03, verdict.Regressed)), ""},
		{"the weekly comparison reported it", append(climb, step(1, 8, 0.03, verdict.Regressed)), ""},
		{"it climbs on after that", append(append(climb, step(4, 8, 0.03, verdict.Regressed)), chain(8, 0.006, 0.006, 0.006)...), "8"},
		{"an improvement is reported downwards only", append(climb, step(1, 8, -0.03, verdict.Improved)), "4"},
		{"all of it was measured at once, and is less", append(climb, step(4, 8, 0.004, none)), ""},
		{"all of it was measured at once: no second time", append(climb, step(4, 8, 0.02, verdict.Inconclusive)), ""},
		{"and a change later it is asked again", append(append(climb, step(4, 8, 0.02, verdict.Inconclusive)), step(8, 9, 0.003, none)), "4"},
		{"in place of a push's comparison, and is less", append(climb, step(4, 9, 0.004, none)), ""},
		{"a far base changes nothing", append(climb, step(0, 8, 0.01, none)), "4"},
	} {
		got, ok := Find(c.steps, []Cell{cpu})
		if got.Base != c.base && ok || ok != (c.base != "") {
			t.Errorf("%s: %+v, %v; want base %q", c.name, got, ok, c.base)
		}
	}
	got, _ := Find(climb, []Cell{cpu})
	if got.Scenario != "steady" || math.Abs(got.Change-0.0201) > 1e-3 || got.Height < 1 {
		t.Errorf("%+v; want 2 %% of steady", got)
	}
	if _, ok := Find(climb, []Cell{{cpu.Scenario, cpu.Metric, 0.05}}); ok {
		t.Error("a climb below the floor of a comparison")
	}
	for i := range climb {
		climb[i].Event.Cells[0].Verdict = verdict.NotMeasured
	}
	if got, ok := Find(climb, []Cell{cpu}); ok {
		t.Errorf("cells without figures: %+v", got)
	}
}
