package prove

import (
	"fmt"
	"math"

	"fairstream/scripts/internal/judge/verdict"
)

// Changes of less than a tenth of a per cent or more than a doubling are not tried.
const leastChange, mostChange = 0.001, 1.0

// finds is the share of drawn comparisons in which a change of a cell is found.
func (d drawer) finds(cell string, change float64, seed uint64, draws int) float64 {
	n := draw(d.worse(cell, change), draws, seed, calls(cell, verdict.Regressed))
	return float64(n[0]) / float64(draws)
}

// least is the smallest change of a cell that is found in such a share of comparisons, to a fiftieth of itself. ok is
// false if even a doubling is not.
func (d drawer) least(cell string, often float64, seed uint64, draws int) (change float64, ok bool) {
	if d.finds(cell, mostChange, seed, draws) < often {
		return 0, false
	}
	low, high := leastChange, mostChange
	for high/low > 1.02 {
		if middle := math.Sqrt(low * high); d.finds(cell, middle, seed, draws) >= often {
			high = middle
		} else {
			low = middle
		}
	}
	return high, true
}

// smallest is the table of changes that are found.
func smallest(all []result, seed uint64, draws int) Table {
	t := Table{
		Title: "Smallest change that is found",
		Head:  []string{"cell", "80 % of the time", "95 % of the time"},
	}
	d := newDrawer(all)
	if d == nil {
		return t
	}
	t.Note = fmt.Sprintf("Sizes are in %%. Each comes from %d comparisons. They are drawn from %s. A regression was added to one cell of head. "+
		"Discarded rounds are left out.", draws, d)
	servers := d.servers()
	if len(servers) == 1 {
		servers = nil // its column would repeat the others
	}
	for _, server := range servers {
		t.Head = append(t.Head, server+", 80 %")
	}
	for _, quantity := range Quantities {
		cell := Cells[quantity]
		row := []string{cell}
		add := func(d drawer, often float64) {
			text := "-"
			if change, ok := d.least(cell, often, seed, draws); ok {
				text = fmt.Sprintf("%.1f", 100*change)
			}
			row = append(row, text)
		}
		add(d, 0.8)
		add(d, 0.95)
		for _, server := range servers {
			add(d.of(server), 0.8)
		}
		t.add(row...)
	}
	return t
}
