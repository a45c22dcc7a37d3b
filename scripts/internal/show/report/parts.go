package report

import (
	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
)

// parts makes the table of a workload's parts of a cost. A quick run has no such table, since its differences are noise.
func parts(records []record.Record) []table {
	w := rank.WorkloadOf(records)
	t := table{
		title: "Parts of the cost", head: []string{"server"},
		note: "A part is a figure of one scenario, or the difference of two scenarios in the same round. So it has the noise of both.",
	}
	for _, p := range w.Parts {
		t.head = append(t.head, p.Label)
	}
	some := false
	for _, server := range record.Servers(records) {
		its := record.OfTarget(records, server)
		cells := []cell{plain(server)}
		for _, p := range w.Parts {
			f := rank.NewPart(its, p)
			cells = append(cells, cell{f.Text(p.Column), f.Spread(p.Column), false})
			some = some || f.Rounds > 0
		}
		t.rows = append(t.rows, row{cells: cells})
	}
	if !some || records[0].Run.Quick {
		return nil
	}
	return []table{t}
}
