package prove

import (
	"fmt"
	"slices"

	"fairstream/scripts/internal/judge/verdict"
)

// summary is the table of a front page: how often verdicts are wrong or missing.
func summary(all []result) Table {
	t := Table{
		Title: "Error rates",
		Head:  []string{"truth", "verdict", "comparisons", "%", "95 % interval"},
		Note:  "Up to two margins means that the verdict names a size above the margin. No verdict means inconclusive or not measured; comparisons that were too noisy are left out. Measured is the mean change; two figures are the servers with the least and the most. Intervals are Clopper and Pearson's.",
	}
	add := func(truth, verdict string, k, n int) {
		t.add(slices.Concat([]string{truth, verdict, fmt.Sprintf("%d of %d", k, n)}, share(k, n))...)
	}
	unchanged := tallied(all, result.unchanged)
	add("nothing changed", "false alarm", unchanged.falseAlarms, unchanged.trials)
	add("nothing changed", "no change, within the margin", unchanged.within, unchanged.trials-unchanged.noisy)
	add("nothing changed", "no change, up to two margins", unchanged.sized, unchanged.trials-unchanged.noisy)
	add("nothing changed", "no verdict", unchanged.none, unchanged.trials-unchanged.noisy)
	regressed, injected := 0, 0
	for _, r := range all {
		if len(r.Size) > 1 {
			injected++
			for quantity := range r.Size {
				if r.cellVerdict(Cells[quantity]) == verdict.Regressed {
					regressed++
					break
				}
			}
		}
	}
	if injected > 0 {
		add("two or three of the regressions below at once", "regressed, in one of these cells", regressed, injected)
	}
	for _, i := range injections(all) {
		of := i.of(all)
		add(fmt.Sprintf("%s: injected %g %%, measured %s", i.cell, i.pct, i.size(all)), "regressed, in this cell", i.called(of, verdict.Regressed), len(of))
	}
	return t
}
