package report

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

// A table is rows of cells under one head; the first cell of a row names it.
type table struct {
	title string
	head  []string
	rows  []row
	note  string // how to read the table
	// A narrow table has as many columns as fit beside each other.
	narrow bool
}

// A row is one target. apart marks direct, the reference of servers.
type row struct {
	cells []cell
	apart bool
}

// A cell is a figure and, where there is one, its spread. A narrow cell leaves the spread
// out where a format has no room.
type cell struct {
	text, spread string
	narrow       bool
}

func plain(text string) cell { return cell{text: text} }

// none stands where no value is possible, such as a server's figure for direct.
const none = rank.None

// unknown stands for an unknown value.
const unknown = rank.Unknown

// mark follows the name of a target whose records have a warning or no figures.
const mark = "*"

// scenarioTable is one scenario, a row per server and direct at the end.
func scenarioTable(records []record.Record, scenario string) table {
	of := record.OfScenario(records, scenario)
	w := rank.WorkloadOf(records)
	columns := knownColumns(of, w.Columns(scenario))
	t := table{title: scenario, head: []string{"server"}}
	for _, c := range columns {
		t.head = append(t.head, means(w, c).Label)
	}
	var notes []string
	rowOf := func(target string) row {
		its := record.OfTarget(of, target)
		cells := []cell{plain(marked(target, rank.HasWarning(its)))}
		itl, pace, lumps := rank.SendsLumps(its, record.OfTarget(of, raw.Direct))
		if lumps && slices.ContainsFunc(columns, func(c workload.Column) bool { return strings.HasPrefix(c.Metric, "itl_") }) {
			notes = append(notes, fmt.Sprintf("%s sends tokens in lumps: its ITL p50 is %.2g ms at a pace of %.2g ms, so its ITL is not shown.", target, itl, pace))
		}
		if n := retried(its); n > 0 {
			unit := w.Unit + "s"
			if n == 1 {
				unit = w.Unit
			}
			notes = append(notes, fmt.Sprintf("%s closed idle connections, so %d %s were sent twice.", target, n, unit))
		}
		for _, c := range columns {
			f := rank.NewFigure(its, c.Metric)
			if lumps && strings.HasPrefix(c.Metric, "itl_") {
				f = rank.NewFigure(nil, c.Metric)
			}
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
	for _, target := range record.Distinct(record.Filter(of, func(r record.Record) bool { return !r.OfServer() }), record.Record.Target) {
		r := rowOf(target)
		r.apart = true
		t.rows = append(t.rows, r)
	}
	if share := answer.RigShares(of); share != "" {
		notes = append(notes, share)
	}
	t.note = strings.Join(notes, " ")
	return t
}

// retried sums the requests that were sent twice.
func retried(records []record.Record) (n int64) {
	for _, r := range records {
		n += r.Retried
	}
	return n
}

// knownColumns leaves out columns without any figure, such as those that older records do not know. Records
// without any figure at all keep all columns.
func knownColumns(of []record.Record, columns []workload.Column) []workload.Column {
	known := record.Filter(of, record.Record.OfServer)
	some := slices.DeleteFunc(slices.Clone(columns), func(c workload.Column) bool { return len(record.MetricValues(known, c.Metric)) == 0 })
	if !slices.ContainsFunc(some, func(c workload.Column) bool { return c.Metric != rank.FailedPct }) {
		return columns
	}
	return some
}

func marked(name string, warning bool) string {
	if warning {
		return name + " " + mark
	}
	return name
}

// means explains the metric of a workload's column.
func means(w workload.Workload, c workload.Column) record.Metric {
	m, _ := record.FindIn(w.Name, c.Metric)
	return m
}

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

// frameworks makes the table of the additions of frameworks.
func frameworks(records []record.Record) []table {
	f := answer.NewFrameworks(records)
	if f.Rows == nil {
		return nil
	}
	t := table{title: f.Title, head: []string{""}, note: f.Note}
	for _, pair := range f.Pairs {
		t.head = append(t.head, pair.Server+" / "+pair.Plain)
	}
	for _, r := range f.Rows {
		cells := []cell{plain(r.Label)}
		for _, a := range r.Added {
			cells = append(cells, plain(strings.TrimSpace(a.Figure+" "+a.Note)))
		}
		t.rows = append(t.rows, row{cells: cells})
	}
	return []table{t}
}

// scenarioTables returns the tables of all scenarios.
func scenarioTables(records []record.Record) []table {
	var all []table
	for _, scenario := range record.Scenarios(records) {
		all = append(all, scenarioTable(records, scenario))
	}
	return all
}
