package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A table is rows of cells under one head; the first cell of a row names it.
type table struct {
	title string
	head  []string
	rows  []row
	note  string // what must be known to read it
}

// A row set apart is no server but what servers are held to.
type row struct {
	cells []cell
	apart bool
}

// A cell is a figure and, where there is one, its spread. Narrow says that a
// format without room leaves the spread out.
type cell struct {
	text, spread string
	narrow       bool
}

func plain(text string) cell { return cell{text: text} }

// none stands for what cannot be: a server's figure of direct, a rank of who has none.
const none = rank.None

// unknown stands for a value that is not known.
const unknown = rank.Unknown

// mark follows the name of a target that has records which are not ok.
const mark = "*"

// scenarioTable is one scenario, a row per server and direct at the end.
func scenarioTable(records []record.Record, scenario string) table {
	of := record.OfScenario(records, scenario)
	columns := rank.WorkloadOf(records).Columns(scenario)
	t := table{title: scenario, head: []string{"server"}}
	for _, c := range columns {
		t.head = append(t.head, means(c).Label)
	}
	rowOf := func(target string) row {
		its := record.OfTarget(of, target)
		cells := []cell{plain(marked(target, rank.Doubtful(its)))}
		for _, c := range columns {
			f := rank.Over(its, c.Metric)
			text := f.Text(c)
			if f.Rounds == 0 && !its[0].OfServer() {
				text = none
			}
			cells = append(cells, cell{text, f.Spread(c), !c.Spread})
		}
		return row{cells: cells}
	}
	for _, target := range record.Servers(of) {
		t.rows = append(t.rows, rowOf(target))
	}
	for _, target := range record.Distinct(record.Only(of, func(r record.Record) bool { return !r.OfServer() }), record.Record.Target) {
		r := rowOf(target)
		r.apart = true
		t.rows = append(t.rows, r)
	}
	return t
}

func marked(name string, doubtful bool) string {
	if doubtful {
		return name + " " + mark
	}
	return name
}

// costRanking is the table of what a stream costs; r.Is() is false when there is
// nothing to rank.
func costRanking(records []record.Record) (t table, r rank.Ranking) {
	r = rank.Cost(records)
	if !r.Is() {
		return t, r
	}
	t = table{
		title: "Cost in " + r.Scenario + ", cheapest first",
		head:  []string{"server", "rank", means(cost).Label, "times the cheapest"}, note: r.Tie(),
	}
	for i, s := range slices.Concat(r.Ranked, r.Left) {
		t.rows = append(t.rows, row{cells: []cell{
			plain(marked(s.Target, s.Warning)), plain(r.Place(s)), {s.Figure.Text(cost), s.Figure.Spread(cost), false}, times(r, i),
		}})
	}
	return t, r
}

// throughputRanking is that of the fullest level, with baseline beside it.
func throughputRanking(records []record.Record) (t table, r rank.Ranking) {
	r = rank.Throughput(records)
	if !r.Is() {
		return t, r
	}
	over1, share := workload.Column{Metric: "rate_x_direct", Decimals: 2, Scale: 1}, workload.Column{Metric: "server_share_pct", Scale: 1}
	t = table{
		title: "Throughput at " + r.Scenario + ", highest first",
		head:  []string{"server", "rank", means(rate).Label, "times the highest", means(over1).Label, means(share).Label}, note: r.Tie(),
	}
	before := len(record.OfScenario(records, "baseline")) > 0
	if before {
		t.head = append(t.head, means(rate).Label+" in baseline", "stress over baseline")
	}
	for i, s := range slices.Concat(r.Ranked, r.Left) {
		of := record.OfTarget(record.OfScenario(records, r.Scenario), s.Target)
		beside, own := rank.Over(of, over1.Metric), rank.Over(of, share.Metric)
		cells := []cell{
			plain(marked(s.Target, s.Warning)), plain(r.Place(s)), {s.Figure.Text(rate), s.Figure.Spread(rate), false}, times(r, i),
			{beside.Text(over1), beside.Spread(over1), true}, {own.Text(share), own.Spread(share), true},
		}
		if before {
			base := rank.Over(record.OfTarget(record.OfScenario(records, "baseline"), s.Target), rate.Metric)
			cells = append(cells, cell{base.Text(slow), base.Spread(slow), true}, plain(delta(s.Figure, base)))
		}
		t.rows = append(t.rows, row{cells: cells})
	}
	return t, r
}

// times is a server's figure as a multiple of the first's.
func times(r rank.Ranking, i int) cell {
	if i >= len(r.Ranked) {
		return plain(none)
	}
	s := r.Ranked[i]
	c := plain(fmt.Sprintf("%.2f", s.Ratio))
	if i > 0 && !math.IsInf(r.ApartPct, 1) {
		c.spread = fmt.Sprintf("%.2f to %.2f", s.Low, s.High)
	}
	return c
}

// delta is a throughput as a multiple of another: the step from baseline to
// stress is too wide for a percentage.
func delta(now, before rank.Figure) string {
	if now.Rounds == 0 || before.Rounds == 0 || before.Mid == 0 {
		return unknown
	}
	return "x" + strconv.FormatFloat(now.Mid/before.Mid, 'g', 3, 64)
}
