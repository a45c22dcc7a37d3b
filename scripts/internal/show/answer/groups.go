package answer

import (
	"fmt"

	"fairstream/scripts/internal/judge/verdict"
)

// A Group is the cells of an answer that say the same, in their order.
type Group struct {
	Title string // with the number of cells
	Class string // worse, better, leaning or quiet
	Cells []verdict.Cell
}

// Groups puts the cells of an answer into groups, the worst first. Cells without figures are left out.
func Groups(a verdict.Answer) (groups []Group) {
	for _, of := range []struct {
		title, class string
		is           func(verdict.Cell) bool
	}{
		{"Worse", "worse", func(c verdict.Cell) bool { return c.Verdict == verdict.Regressed }},
		{"Leaning worse", "leaning", func(c verdict.Cell) bool { return c.Leaning() == "worse" }},
		{"Cannot tell", "quiet", func(c verdict.Cell) bool { return c.Verdict == verdict.Inconclusive && c.Leaning() == "" }},
		{"Leaning better", "leaning", func(c verdict.Cell) bool { return c.Leaning() == "better" }},
		{"Better", "better", func(c verdict.Cell) bool { return c.Verdict == verdict.Improved }},
		{"No change", "quiet", func(c verdict.Cell) bool { return c.Verdict == verdict.Unchanged || c.Verdict == verdict.NoLargeChange }},
	} {
		g := Group{Class: of.class}
		for _, c := range a.Cells {
			if of.is(c) {
				g.Cells = append(g.Cells, c)
			}
		}
		if n := len(g.Cells); n > 0 {
			g.Title = fmt.Sprintf("%s · %d", of.title, n)
			groups = append(groups, g)
		}
	}
	return groups
}
