package prove

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// machines is the table of verdicts on each machine.
func machines(all []result) Table {
	t := Table{
		Title: "On each machine",
		Head:  []string{"epoch", "nothing changed", "with a false alarm", "no answer", "injected", "found", "with a noise history"},
		Note: "An epoch is a machine with one state of the rig. Trials of one epoch do not use the others. Injected counts the cells with a goal. " +
			"A noise history counts once it has enough comparisons of the server. Without it the test is Student's t.",
	}
	var epochs []string
	for _, r := range all {
		if !slices.Contains(epochs, r.Comparison.Epoch) {
			epochs = append(epochs, r.Comparison.Epoch)
		}
	}
	for _, epoch := range epochs {
		there := slices.DeleteFunc(slices.Clone(all), func(r result) bool { return r.Comparison.Epoch != epoch })
		unchanged := tallied(there, func(r result) bool { return r.Kind != Injected })
		var injected, found, priors int
		for _, r := range there {
			if len(r.priors[r.Comparison.Epoch][r.Comparison.Server]) > 0 {
				priors++
			}
		}
		for _, p := range injections(there) {
			if _, known := p.goal(); known {
				of := p.of(there)
				injected, found = injected+len(of), found+p.called(of, verdict.Regressed)
			}
		}
		row := []string{epoch}
		for _, n := range []int{unchanged.trials, unchanged.falseAlarms, unchanged.unanswered, injected, found, priors} {
			row = append(row, fmt.Sprint(n))
		}
		t.add(row...)
	}
	return t
}

// open is the table of cells that stayed open where nothing changed.
func open(all []result) Table {
	t := Table{
		Title: "What stays open where nothing changed",
		Head:  []string{"cell", "decides", "comparisons", "open", "excluded change, median %"},
		Note:  "A cell is open when it is inconclusive at the end: a change of its margin or more is possible. An open cell that decides leaves the comparison without a verdict. An open cell excludes only a larger change than its margin; the median is that of the open cells.",
	}
	of, missed, decides := map[string]int{}, map[string][]float64{}, map[string]string{}
	for _, r := range all {
		for _, c := range r.Cells {
			name := c.Scenario + " " + c.Metric.Name
			if r.Kind == Injected || c.Criterion.Absolute {
				continue
			}
			of[name]++
			decides[name] = cmp.Or(c.Criterion.Decides, "-")
			if c.Verdict == verdict.Inconclusive {
				missed[name] = append(missed[name], 100*c.Excluded())
			}
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(of), func(x, y string) int {
		return cmp.Or(len(missed[y])-len(missed[x]), cmp.Compare(x, y))
	}) {
		median := "-"
		if len(missed[name]) > 0 {
			slices.Sort(missed[name])
			median = fmt.Sprintf("%.1f", record.Median(missed[name]))
		}
		t.add(name, decides[name], fmt.Sprint(of[name]), fmt.Sprint(len(missed[name])), median)
	}
	return t
}
