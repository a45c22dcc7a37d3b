package prove

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// PatchTables judges trials of patches and makes their tables. The same trials give the same tables.
func PatchTables(trials []PatchTrial) []Table {
	all := judgePatches(trials)
	return filled([]Table{unpatched(trials, all), patched(trials, all)})
}

// unpatched is the table of comparisons in which nothing changed, by workload.
func unpatched(trials []PatchTrial, all []result) Table {
	t := Table{
		Title: "Comparisons of a server with itself",
		Head:  []string{"workload", "comparisons", "with a false alarm", "%", "95 % interval", "up to two margins", "no verdict", "rounds, median"},
		Note:  fmt.Sprintf("A false alarm is any cell that is called regressed or improved; the goal is %g %% of comparisons. Intervals are Clopper and Pearson's. No verdict means inconclusive or not measured.", 100*verdict.Alpha),
	}
	for _, name := range workload.Names() {
		var of []result
		var rounds []int
		for i, r := range all {
			if trials[i].Patch == nil && r.Comparison.Workload == name {
				of, rounds = append(of, r), append(rounds, r.used)
			}
		}
		if len(of) == 0 {
			continue
		}
		slices.Sort(rounds)
		n := tallied(of, Same.is)
		t.add(slices.Concat([]string{name, fmt.Sprint(n.trials), fmt.Sprint(n.falseAlarms)}, share(n.falseAlarms, n.trials),
			[]string{fmt.Sprint(n.sized), fmt.Sprint(n.none + n.noisy), fmt.Sprint(rounds[len(rounds)/2])})...)
	}
	return t
}

// patched is the table of regressions that patches injected.
func patched(trials []PatchTrial, all []result) Table {
	t := Table{
		Title: "Regressions that patches inject",
		Head:  []string{"patch", "server", "should be found in", "intended %", "its change %, with 95 % interval", "it is", "verdict", "rounds", "other cells that changed, %"},
		Note: "Nothing counts what a patch delivers, so the intended change is an estimate. One comparison of a patch says whether it was found, and not how often it would be. " +
			"The first regression in a deciding cell ends a comparison, so the cell that should find it may still be open.",
	}
	for i, r := range all {
		p := trials[i].Patch
		if p == nil {
			continue
		}
		change, others := "-", []string{}
		for _, c := range r.Cells {
			text := interval(c)
			switch name := c.Criterion.Name(); {
			case name == p.Cell:
				change = text
			case c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved:
				others = append(others, fmt.Sprintf("%s %s", name, text))
			}
		}
		if len(others) == 0 {
			others = []string{"-"}
		}
		t.add(p.Name, p.Server, p.Cell, fmt.Sprintf("%+g", p.Pct), change, string(r.cellVerdict(p.Cell)), string(r.Verdict), fmt.Sprint(r.used), strings.Join(others, ", "))
	}
	slices.SortStableFunc(t.Rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return t
}

// interval is the change of a cell with its 95 % interval: in per cent, or in the metric's unit.
func interval(c verdict.Cell) string {
	times := 100.0
	if c.Criterion.Absolute {
		times = 1
	}
	return fmt.Sprintf("%+.1f (%+.1f to %+.1f)", times*c.Change, times*c.Low, times*c.High)
}
