package site

import (
	"cmp"
	"math"
	"slices"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// fixes lists for each regression the commit that regained its whole loss; nil without one. A failing server
// had lost its figures.
func fixes(events []Event, places []*place) []*string {
	fixed := make([]*string, len(events))
	steps := map[string][]step{} // in order of place
	key := func(f Event, c verdict.EventCell) string { return f.Server + " " + c.Scenario + " " + c.Metric }
	for _, f := range events {
		for _, c := range f.Cells {
			if changed := c.Verdict == verdict.Improved || c.Verdict == verdict.Regressed; f.At != nil && !f.Gradual && changed { // a gradual is of steps that are here
				steps[key(f, c)] = append(steps[key(f, c)], step{At: *f.At, Head: f.Head, Cell: c})
			}
		}
	}
	for _, of := range steps {
		slices.SortFunc(of, func(x, y step) int { return cmp.Compare(x.At, y.At) })
	}
	for i, f := range events {
		if f.At != nil && f.Verdict == string(verdict.Regressed) && len(f.Cells) == 0 {
			fixed[i] = worksAgain(places, f.Server, *f.At)
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
			if last == nil || g.At > last.At {
				last = g
			}
		}
		if last != nil {
			fixed[i] = &last.Head
		}
	}
	return fixed
}

// worksAgain is the first commit after a place at which a failed server has figures
// again; nil: it has some there, or none since.
func worksAgain(places []*place, server string, at int) *string {
	for i, p := range places[at:] {
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

// Now compares the newest figures with those from before an event.
type Now struct {
	Change float64 `json:"change"` // share of the earlier value
	Inside bool    `json:"inside"` // runs of the same code differ by as much
}

// nowOf compares, for the event's main cell, the median of the newest points with that
// of the points just before the event. It is nil without newer points, after a change
// of machine or rig, and for metrics without a share.
func nowOf(h history, f Event) *Now {
	c, ok := f.main()
	if f.At == nil || !ok {
		return nil
	}
	metric, newest := trendedAt(h.workload.Name, c.Metric), h.latest(len(h.places))
	if metric < 0 || record.Absolute(trended[h.workload.Name][metric].Name) || newest < 0 || h.epochs.of[*f.At] != h.epochs.of[newest] {
		return nil
	}
	var before, after, all []float64
	shown := workload.Criterion{Scenario: c.Scenario, Levels: c.Levels}.Records()
	for place, of := range h.cells[shown[len(shown)-1]][f.Server] { // the fullest level stands for all
		mid := of.at(metric).Mid
		if math.IsNaN(mid) || mid <= 0 || of.warned || h.epochs.of[place] != h.epochs.of[*f.At] {
			continue
		}
		all = append(all, mid)
		switch {
		case place < *f.At:
			before = append(before, mid)
		case place > *f.At:
			after = append(after, mid)
		}
	}
	if len(before) == 0 || len(after) == 0 {
		return nil
	}
	change, inside := changeSince(before, after, all)
	return &Now{change, inside}
}
