package site

import (
	"cmp"
	"slices"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/noise"
	"fairstream/scripts/internal/judge/verdict"
)

// findFixed says of each regression by which commit all that it had lost was regained; a
// server that failed had lost its figures.
func (b *builder) findFixed() {
	steps := map[string][]noise.Step{} // in order of place
	key := func(f Flag, c archive.FlagCell) string { return f.Server + " " + c.Scenario + " " + c.Metric }
	for _, f := range b.flags {
		for _, c := range f.Cells {
			if changed := c.Verdict == verdict.Improved || c.Verdict == verdict.Regressed; f.At != nil && !f.Creep && changed { // a creep is of steps that are here
				steps[key(f, c)] = append(steps[key(f, c)], noise.Step{At: *f.At, Head: f.Head, Cell: c})
			}
		}
	}
	for _, of := range steps {
		slices.SortFunc(of, func(x, y noise.Step) int { return cmp.Compare(x.At, y.At) })
	}
	for i, f := range b.flags {
		if f.At != nil && f.Verdict == string(verdict.Regressed) && len(f.Cells) == 0 {
			b.flags[i].Fixed = b.worksAgain(f.Server, *f.At)
		}
		var last *noise.Step
		for _, c := range f.Cells {
			if f.At == nil || c.Verdict != verdict.Regressed {
				continue
			}
			g := noise.Regained(c, *f.At, steps[key(f, c)])
			if g == nil {
				last = nil
				break
			}
			if last == nil || g.At > last.At {
				last = g
			}
		}
		if last != nil {
			b.flags[i].Fixed = &last.Head
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
