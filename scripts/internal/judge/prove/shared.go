package prove

import (
	"fmt"

	"fairstream/scripts/internal/judge/verdict"
)

// Servers of the pull request of sharedRate, and comparisons that are drawn for each of its shares.
const (
	sharedServers = 8
	sharedDraws   = 1000
)

// sharedRate is the table of how often one slower server of a pull request is found, where each
// server has a false-alarm rate of its own, and where all share one.
func sharedRate(all []result, seed uint64, draws int) Table {
	t := Table{
		Title: "One slower server of eight in a pull request",
		Head:  []string{"CPU time", "found, 1 % per server, %", "found, 1 % over 8 servers, %"},
	}
	d := newDrawer(all)
	if d == nil {
		return t
	}
	cell := Cells[CPU]
	for _, pct := range []float64{3, 5} {
		row := []string{fmt.Sprintf("+%g %%", pct)}
		for _, servers := range []int{1, sharedServers} {
			trials := d.worse(cell, pct/100)
			for i := range trials {
				trials[i].like.Alpha = verdict.Alpha / float64(servers)
			}
			n := draw(trials, draws, seed, calls(cell, verdict.Regressed))
			row = append(row, percent(n[0], draws))
		}
		t.add(row...)
	}
	t.Note = fmt.Sprintf("Each share comes from %d comparisons, drawn from the rounds of %s. "+
		"With 1 %% per server, eight servers together have a false alarm in up to 8 %% of pull requests. With a shared rate they have one in at most 1 %%.", draws, d)
	return t
}
