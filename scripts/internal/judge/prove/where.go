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
		Head:  []string{"epoch", "nothing changed", "with a false alarm", "too noisy", "no verdict"},
		Note: "An epoch is a machine with one state of the rig. Trials of one epoch do not use the others. The columns of injected regressions count those found. " +
			"A noise history counts once it has enough comparisons of the server. Without it the test is Student's t.",
	}
	found := injections(all)
	for _, p := range found {
		t.Head = append(t.Head, p.String())
	}
	t.Head = append(t.Head, "with a noise history")
	var epochs []string
	for _, r := range all {
		if !slices.Contains(epochs, r.Comparison.Epoch) {
			epochs = append(epochs, r.Comparison.Epoch)
		}
	}
	for _, epoch := range epochs {
		there := slices.DeleteFunc(slices.Clone(all), func(r result) bool { return r.Comparison.Epoch != epoch })
		unchanged := tallied(there, func(r result) bool { return r.Kind != Injected })
		priors := 0
		for _, r := range there {
			if len(r.priors[r.Comparison.Epoch][r.Comparison.Server]) > 0 {
				priors++
			}
		}
		row := []string{epoch, fmt.Sprint(unchanged.trials), fmt.Sprint(unchanged.falseAlarms), fmt.Sprint(unchanged.noisy), fmt.Sprint(unchanged.unanswered)}
		for _, p := range found {
			row = append(row, p.found(there))
		}
		t.add(append(row, fmt.Sprint(priors))...)
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
