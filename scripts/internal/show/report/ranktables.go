package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

// A ranked is a table that ranks servers.
type ranked struct {
	what   string
	where  string // before the scenario
	order  string
	times  string            // head of the column of ratios
	beside []workload.Column // of the same scenario
}

// rankTables are those of answer.Rankings.
var rankTables = []ranked{
	{"Cost", "in", "cheapest first", "times the cheapest", nil},
	{"Throughput", "at", "highest first", "times the highest", []workload.Column{
		{Metric: "rate_x_direct", Decimals: 2, Scale: 1}, {Metric: "server_share_pct", Scale: 1},
	}},
	{"Memory", "at", "least first", "times the least", nil},
}

// table has a row for each server, and those without a rank below.
func (t ranked) table(records []record.Record, r rank.Ranking) table {
	made := table{
		title: fmt.Sprintf("%s %s %s, %s", t.what, t.where, r.Scenario, t.order),
		head:  []string{"server", "rank", means(r.Workload, r.Column).Label, t.times}, note: answer.Tie(r),
	}
	for _, c := range t.beside {
		made.head = append(made.head, means(r.Workload, c).Label)
	}
	for i, s := range slices.Concat(r.Ranked, r.Unranked) {
		cells := []cell{plain(marked(s.Target, s.Warning)), plain(r.Place(s)), {s.Figure.Text(r.Column), s.Figure.Spread(r.Column), false}, times(r, i)}
		for _, c := range t.beside {
			f := rank.NewFigure(record.OfTarget(record.OfScenario(records, r.Scenario), s.Target), c.Metric)
			cells = append(cells, cell{f.Text(c), f.Spread(c), true})
		}
		made.rows = append(made.rows, row{cells: cells})
	}
	return made
}

// times is a server's figure as a multiple of the first server's.
func times(r rank.Ranking, i int) cell {
	if i >= len(r.Ranked) {
		return plain(none)
	}
	s := r.Ranked[i]
	c := plain(fmt.Sprintf("%.2f", s.Ratio))
	if i > 0 && r.Decides() {
		c.spread = fmt.Sprintf("%.2f to %.2f", s.Low, s.High)
	}
	return c
}

// rankTablesOf are the tables of the rankings of a run that rank something. A quick run has none.
func rankTablesOf(records []record.Record) (tables []table) {
	if records[0].Run.Quick {
		return nil
	}
	for i, r := range answer.Rankings(records) {
		if r.HasRanks() {
			tables = append(tables, rankTables[i].table(records, r))
		}
	}
	return tables
}

// WriteRanks writes the tables of ranks alone, as text.
var WriteRanks = plainly(func(w io.Writer, records []record.Record) error {
	out := bufio.NewWriter(w)
	for _, t := range rankTablesOf(records) {
		Text{Width: logWidth}.table(out, t)
	}
	return out.Flush()
})
