package site

import (
	"cmp"
	"math"
	"slices"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/verdict"
)

// A step is a cell that changed.
type step struct {
	at   int // place
	head string
	cell archive.FlagCell
}

// findFixed says of each regression by which commit all that it had lost was regained; a
// server that failed had lost its figures.
func (b *builder) findFixed() {
	steps := map[string][]step{} // in order of place
	key := func(f Flag, c archive.FlagCell) string { return f.Server + " " + c.Scenario + " " + c.Metric }
	for _, f := range b.flags {
		for _, c := range f.Cells {
			if changed := c.Verdict == verdict.Improved || c.Verdict == verdict.Regressed; f.At != nil && !f.Creep && changed { // a creep is of steps that are here
				steps[key(f, c)] = append(steps[key(f, c)], step{*f.At, f.Head, c})
			}
		}
	}
	for _, of := range steps {
		slices.SortFunc(of, func(x, y step) int { return cmp.Compare(x.at, y.at) })
	}
	for i, f := range b.flags {
		if f.At != nil && f.Verdict == string(verdict.Regressed) && len(f.Cells) == 0 {
			b.flags[i].Fixed = b.worksAgain(f.Server, *f.At)
		}
		var last *step
		for _, c := range f.Cells {
			if f.At == nil || c.Verdict != verdict.Regressed {
				continue
			}
			g := regained(c, *f.At, steps[key(f, c)])
			if g == nil {
				last = nil
				break
			}
			if last == nil || g.at > last.at {
				last = g
			}
		}
		if last != nil {
			b.flags[i].Fixed = &last.head
		}
	}
}

// worksAgain is the first commit after a place at which a server has figures, of which it
// has none at the place; nil: it has some there, or none since.
func (b *builder) worksAgain(server string, at int) *string {
	for i, p := range b.places[at:] {
		if s := p.served[server]; s == nil || p.local != nil || !s.works() {
			continue
		}
		if i == 0 {
			return nil
		}
		return &p.commit.Hash
	}
	return nil
}

// regained is the step at which all was regained that a cell lost at a place, and
// what was lost since: no more is left than the loss itself was unsure of. nil: more is.
func regained(c archive.FlagCell, at int, steps []step) *step {
	of := math.Log1p // changes that can be added up
	if verdict.Absolute(c.Metric) {
		of = func(x float64) float64 { return x }
	}
	rest, unsure := of(c.Change), (of(c.High)-of(c.Low))/2
	for i, s := range steps {
		if s.at <= at {
			continue
		}
		if rest += of(s.cell.Change); s.cell.Verdict == verdict.Improved && math.Copysign(1, c.Change)*rest <= unsure {
			return &steps[i]
		}
	}
	return nil
}
