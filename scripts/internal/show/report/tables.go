package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"fairstream/scripts/internal/judge/record"
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
const none = "-"

// mark follows the name of a target that has records which are not ok.
const mark = "*"

// scenarioTable is one scenario, a row per server and direct at the end.
func scenarioTable(records []record.Record, scenario string) table {
	of := ofScenario(records, scenario)
	columns := columnsOf(scenario)
	t := table{title: scenario, head: []string{"server"}}
	for _, c := range columns {
		t.head = append(t.head, c.means().Label)
	}
	rowOf := func(target string) row {
		its := ofTarget(of, target)
		cells := []cell{plain(marked(target, doubtful(its)))}
		for _, c := range columns {
			f := over(its, c.metric)
			text := f.text(c)
			if f.rounds == 0 && !isServer(its[0]) {
				text = none
			}
			cells = append(cells, cell{text, f.spread(c), !c.spread})
		}
		return row{cells: cells}
	}
	for _, target := range servers(of) {
		t.rows = append(t.rows, rowOf(target))
	}
	for _, target := range distinct(only(of, func(r record.Record) bool { return !isServer(r) }), record.Record.Target) {
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

// costRanking is the table of what a stream costs; ok is false when there is
// nothing to rank.
func costRanking(records []record.Record) (t table, r ranking, ok bool) {
	scenario := costly(records)
	if scenario == "" {
		return t, r, false
	}
	r = rank(records, scenario, cost)
	t = table{
		title: "Cost in " + scenario + ", cheapest first",
		head:  []string{"server", "rank", cost.means().Label, "times the cheapest"}, note: r.tie(),
	}
	for i, s := range slices.Concat(r.ranked, r.left) {
		t.rows = append(t.rows, row{cells: []cell{
			plain(marked(s.target, s.suspect)), plain(r.place(s)), {s.figure.text(cost), s.figure.spread(cost), false}, r.times(i),
		}})
	}
	return t, r, len(r.ranked) > 1
}

// throughputRanking is that of the fullest plateau, with baseline beside it.
func throughputRanking(records []record.Record) (t table, r ranking, ok bool) {
	scenario := fullest(records)
	if scenario == "" {
		return t, r, false
	}
	r = rank(records, scenario, rate)
	over1, share := column{"rate_over_direct", 2, 1, false}, column{"server_share_pct", 0, 1, false}
	t = table{
		title: "Throughput at " + scenario + ", highest first",
		head:  []string{"server", "rank", rate.means().Label, "times the highest", over1.means().Label, share.means().Label}, note: r.tie(),
	}
	before := len(ofScenario(records, "baseline")) > 0
	if before {
		t.head = append(t.head, rate.means().Label+" in baseline", "stress over baseline")
	}
	for i, s := range slices.Concat(r.ranked, r.left) {
		of := ofTarget(ofScenario(records, scenario), s.target)
		beside, own := over(of, over1.metric), over(of, share.metric)
		cells := []cell{
			plain(marked(s.target, s.suspect)), plain(r.place(s)), {s.figure.text(rate), s.figure.spread(rate), false}, r.times(i),
			{beside.text(over1), beside.spread(over1), true}, {own.text(share), own.spread(share), true},
		}
		if before {
			base := over(ofTarget(ofScenario(records, "baseline"), s.target), rate.metric)
			cells = append(cells, cell{base.text(slow), base.spread(slow), true}, plain(delta(s.figure, base)))
		}
		t.rows = append(t.rows, row{cells: cells})
	}
	return t, r, len(r.ranked) > 1
}

// times is a server's figure as a multiple of the first's.
func (r ranking) times(i int) cell {
	if i >= len(r.ranked) {
		return plain(none)
	}
	s := r.ranked[i]
	c := plain(fmt.Sprintf("%.2f", s.ratio))
	if i > 0 && !math.IsInf(r.apartPct, 1) {
		c.spread = fmt.Sprintf("%.2f to %.2f", s.low, s.high)
	}
	return c
}

// delta is a throughput as a multiple of another: the step from baseline to
// stress is too wide for a percentage.
func delta(now, before figure) string {
	if now.rounds == 0 || before.rounds == 0 || before.mid == 0 {
		return unknown
	}
	return "x" + strconv.FormatFloat(now.mid/before.mid, 'g', 3, 64)
}
