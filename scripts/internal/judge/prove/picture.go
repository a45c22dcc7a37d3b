package prove

import (
	"fmt"
	"slices"

	"fairstream/scripts/internal/workload"
)

// Sizes of change, in per cent, of the curves.
var Sizes = []float64{1, 2, 3, 4, 5, 7, 10, 15, 20, 30}

// Curves say in which share of comparisons a change of a cell is found, one for each of Sizes.
type Curves struct {
	All  []Curve // none without trials in which nothing changed
	From string  // their origin
}

// A Curve is of one cell. Found are shares.
type Curve struct {
	Label string // a subject, such as CPU
	Found []float64
}

// DrawCurves makes the curves of trials without a neighbour. They are of the cells that trials made worse.
func DrawCurves(trials []Trial) (c Curves) {
	all := judgeAll(beside(trials, 0))
	d := newDrawer(all)
	if d == nil {
		return c
	}
	c.From = fmt.Sprintf("%d comparisons for each size, drawn from %s", foundDraws, d)
	for _, quantity := range Quantities {
		cell := Cells[quantity]
		if !slices.ContainsFunc(injections(all), func(i injection) bool { return i.cell == cell }) {
			continue
		}
		one := Curve{Label: subject(cell)}
		for _, size := range Sizes {
			one.Found = append(one.Found, d.finds(cell, size/100, Seed, foundDraws))
		}
		c.All = append(c.All, one)
	}
	return c
}

// subject is what a cell decides on.
func subject(cell string) string {
	for _, w := range workload.All {
		for _, c := range w.Criteria {
			if c.Name() == cell && c.Decides != "" {
				return c.Decides
			}
		}
	}
	return cell
}
