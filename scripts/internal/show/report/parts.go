package report

import (
	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
)

// parts makes the table of a workload's parts of a cost. It leaves out a part that no server has, since a run need not load
// all scenarios. A quick run has no such table, since its differences are noise.
func parts(records []record.Record) []table {
	if records[0].Run.Quick {
		return nil
	}
	t := table{
		title: "Parts of the cost", head: []string{"server"},
		note: "A part is a figure of one scenario, or the difference of two scenarios in the same round. So it has the noise of both.",
	}
	servers := record.Servers(records)
	for _, server := range servers {
		t.rows = append(t.rows, row{cells: []cell{plain(server)}})
	}
	for _, p := range rank.WorkloadOf(records).Parts {
		some := false
		cells := make([]cell, len(servers))
		for i, server := range servers {
			f := rank.NewPart(record.OfTarget(records, server), p)
			cells[i] = cell{f.Text(p.Column), f.Spread(p.Column), false}
			some = some || f.Rounds > 0
		}
		if !some {
			continue
		}
		t.head = append(t.head, p.Label)
		for i := range cells {
			t.rows[i].cells = append(t.rows[i].cells, cells[i])
		}
	}
	if len(t.head) == 1 {
		return nil
	}
	return []table{t}
}
