package prove

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// Sizes of change, in per cent, that the curves of a picture have.
var Sizes = []float64{1, 2, 3, 4, 5, 7, 10, 15, 20, 30}

// A Picture is what a picture of trials shows: what was called, and how large a
// change is found.
type Picture struct {
	Called []Called
	Curves []Curve // none without trials in which nothing changed
	From   string  // origin of the curves
}

// Called is how often some trials had a verdict, or none, with a 95 % interval.
type Called struct {
	Name      string
	Cell      string // that was made worse; "" where nothing was
	K, N      int
	Low, High float64 // shares
}

// A Curve is in which share of comparisons a change of a cell is found, one for
// each of Sizes.
type Curve struct {
	Cell, Label string
	Found       []float64
}

// Draw makes the picture of trials without a neighbour.
func Draw(trials []Trial) (p Picture) {
	all := judgeAll(beside(trials, 0))
	add := func(name, cell string, k, n int) {
		if n > 0 {
			low, high := clopperPearson(k, n)
			p.Called = append(p.Called, Called{Name: name, Cell: cell, K: k, N: n, Low: low, High: high})
		}
	}
	for _, kind := range kinds {
		n := tallied(all, kind.is)
		add(kind.means+": false alarm", "", n.falseAlarms, n.trials)
	}
	unchanged := tallied(all, result.unchanged)
	add("nothing changed: no change, but only to two margins", "", unchanged.sized, unchanged.trials-unchanged.noisy)
	add("nothing changed: no verdict", "", unchanged.none, unchanged.trials-unchanged.noisy)
	for _, injected := range injections(all) {
		of := injected.of(all)
		add(fmt.Sprintf("%s %s", label(injected.cell), injected.size(all)), injected.cell, injected.called(of, verdict.Regressed), len(of))
	}
	d := newDrawer(all)
	if d == nil || len(p.Called) == 0 {
		return p
	}
	p.From = fmt.Sprintf("%d comparisons for each size, drawn from %s", foundDraws, d)
	for _, quantity := range Quantities {
		cell := Cells[quantity]
		if !slices.ContainsFunc(p.Called, func(c Called) bool { return c.Cell == cell }) {
			continue // the colour of a curve is explained by its row
		}
		c := Curve{Cell: cell, Label: label(cell)}
		for _, size := range Sizes {
			c.Found = append(c.Found, d.finds(cell, size/100, Seed, foundDraws))
		}
		p.Curves = append(p.Curves, c)
	}
	return p
}

// label is a cell for readers.
func label(cell string) string {
	scenario, metric, _ := strings.Cut(cell, " ")
	m, _ := record.Find(metric)
	return scenario + " " + m.Label
}
