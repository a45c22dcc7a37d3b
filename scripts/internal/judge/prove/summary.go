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
		Note:  "No verdict means inconclusive or not measured. Intervals are Clopper and Pearson's.",
	}
	add := func(truth, verdict string, k, n int) {
		t.add(slices.Concat([]string{truth, verdict, fmt.Sprintf("%d of %d", k, n)}, share(k, n))...)
	}
	unchanged := tallied(all, func(r result) bool { return r.Kind != Injected })
	add("nothing changed", "false alarm", unchanged.falseAlarms, unchanged.trials)
	add("nothing changed", "no verdict", unchanged.unanswered, unchanged.trials)
	for _, i := range injections(all) {
		if _, known := i.goal(); known {
			of := i.of(all)
			add(fmt.Sprintf("%s +%g %%", i.cell, i.pct), "regressed", i.called(of, verdict.Regressed), len(of))
		}
	}
	return t
}
