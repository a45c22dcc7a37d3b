package prove

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"fairstream/scripts/internal/workload"
)

// excluded is the table of the changes that comparisons exclude where nothing changed.
func excluded(all []result) Table {
	t := Table{
		Title: "Changes that are excluded where nothing changed",
		Head:  []string{"workload", "deciding cell", "comparisons", "half exclude, %", "nine of ten exclude, %", "margin, %"},
		Note:  "Half of the comparisons exclude a change of the size of the first figure, and nine of ten one of the second. The interval of 95 % at the end of a comparison says so.",
	}
	for _, w := range workload.All {
		for _, c := range w.Criteria {
			if c.Decides == "" {
				continue
			}
			var sizes []float64 // per cent
			for _, r := range all {
				for _, cell := range r.Cells {
					if r.unchanged() && r.Comparison.Workload == w.Name && cell.Criterion.Name() == c.Name() && cell.Low < cell.High {
						sizes = append(sizes, 100*cell.Excluded())
					}
				}
			}
			if len(sizes) == 0 {
				continue
			}
			slices.Sort(sizes)
			quantile := func(p float64) string { return fmt.Sprintf("%.1f", stat.Quantile(p, stat.Empirical, sizes, nil)) }
			t.add(w.Name, c.Name(), fmt.Sprint(len(sizes)), quantile(0.5), quantile(0.9), fmt.Sprintf("%g", 100*c.Margin))
		}
	}
	return t
}
