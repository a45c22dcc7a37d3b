package report

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

// subject names the workload, the servers, the rounds, the machine and the time.
func subject(records []record.Record) string {
	r := records[0]
	servers := "1 server"
	if n := len(record.Servers(records)); n != 1 {
		servers = fmt.Sprintf("%d servers", n)
	}
	rounds := "1 round"
	if n := answer.Rounds(records); n != 1 {
		rounds = fmt.Sprintf("%d rounds", n)
	}
	text := fmt.Sprintf("%s: %s, %s, %s, %s", r.Workload, servers, rounds, answer.Machine(r), r.Started.UTC().Format("2006-01-02 15:04 UTC"))
	if r.Run.Quick {
		text += ". " + answer.Shortened
	}
	return text
}

// A figureOf is a column of the summary: a metric in a scenario.
type figureOf struct {
	scenario string
	column   workload.Column
}

// summaryTable has a row for each server: the figures that rank it, the latency that decides comparisons, and what a start and
// a deployment take. Servers are in the order of their cost.
func summaryTable(records []record.Record) table {
	w := rank.WorkloadOf(records)
	t := table{head: []string{"server"}, narrow: true}
	targets := record.Servers(records)
	ranks := rankings(records)
	if cost := ranks[0]; cost.HasRanks() {
		targets = nil
		for _, s := range slices.Concat(cost.Ranked, cost.Unranked) {
			targets = append(targets, s.Target)
		}
	}
	targets = append(targets, record.Distinct(record.Filter(records, func(r record.Record) bool { return !r.OfServer() }), record.Record.Target)...)
	for _, target := range targets {
		of := record.OfTarget(records, target)
		t.rows = append(t.rows, row{cells: []cell{plain(marked(target, rank.HasWarning(of)))}, apart: !of[0].OfServer()})
	}
	add := func(f figureOf, head string) {
		of := record.OfScenario(records, f.scenario)
		if len(record.MetricValues(of, f.column.Metric)) == 0 {
			return
		}
		t.head = append(t.head, head)
		for i, target := range targets {
			t.rows[i].cells = append(t.rows[i].cells, plain(textOf(record.OfTarget(of, target), f.column)))
		}
	}
	var scenario string
	for _, r := range ranks {
		if r.Scenario == "" {
			continue
		}
		add(figureOf{r.Scenario, r.Column}, means(w, r.Column).Label+" "+r.Scenario)
		scenario = r.Scenario
		if r.HasRanks() && !records[0].Run.Quick {
			t.head = append(t.head, "rank")
			for i, target := range targets {
				t.rows[i].cells = append(t.rows[i].cells, plain(placeOf(r, target)))
			}
		}
	}
	for _, f := range decidingLatency(w) {
		add(f, means(w, f.column).Label+" "+f.scenario)
	}
	for _, c := range []workload.Column{workload.FirstAnswer, workload.Deployed} {
		add(figureOf{scenario, c}, means(w, c).Label)
	}
	return t
}

// textOf is a figure of a target's records.
func textOf(of []record.Record, c workload.Column) string {
	f := rank.NewFigure(of, c.Metric)
	if f.Rounds == 0 && len(of) > 0 && !of[0].OfServer() {
		return none
	}
	return f.Text(c)
}

func placeOf(r rank.Ranking, target string) string {
	for _, s := range r.Ranked {
		if s.Target == target {
			return r.Place(s)
		}
	}
	return none
}

// decidingLatency is the latency that decides comparisons, as its table shows it.
func decidingLatency(w workload.Workload) (all []figureOf) {
	for _, c := range w.Criteria {
		if c.Decides != "latency" {
			continue
		}
		columns := w.Columns(c.Scenario)
		if i := slices.IndexFunc(columns, func(of workload.Column) bool { return of.Metric == c.Metric }); i >= 0 {
			all = append(all, figureOf{c.Scenario, columns[i]})
		}
	}
	return all
}

// calm returns the records of rounds that count, and why others do not.
func calm(records []record.Record) ([]record.Record, []string) {
	records, left := rank.Calm(records)
	var why []string
	for _, l := range left {
		why = append(why, l.String()+".")
	}
	return records, why
}

// shortNotes is the most frequent warning, and says that there are more notes; "" without a warning and a disturbed round.
func shortNotes(records []record.Record, left []string) string {
	var text string
	if n := len(record.Filter(records, func(r record.Record) bool { return r.Status != record.OK })); n > 0 {
		text = fmt.Sprintf("%s %d of %d records have a warning or are invalid.", mark, n, len(records))
		if most := answer.MostFrequent(answer.Warnings(records)); most != "" {
			text += " Most have: " + most + "."
		}
	}
	if n := len(left); n > 0 {
		text += fmt.Sprintf(" %d disturbed rounds do not count.", n)
	}
	if text != "" {
		text += " -notes says more."
	}
	return strings.TrimSpace(text)
}

// notes are the warnings, the conditions of the run, the rules, and the origin of the numbers.
func notes(records []record.Record, left []string) (lines []string) {
	tied := false
	if !records[0].Run.Quick {
		for _, r := range rankings(records) {
			tied = tied || r.HasRanks()
			if text := answer.Unranked(r); text != "" {
				lines = append(lines, text)
			}
		}
	}
	lines = append(lines, left...)
	for _, d := range answer.Warnings(records) {
		lines = append(lines, mark+" "+d.Line(records))
	}
	lines = append(lines, answer.Conditions(records), answer.SpreadMeans(records))
	if tied && answer.Rounds(records) > 1 {
		lines = append(lines, answer.TieRule)
	}
	return append(lines, answer.Provenance(records))
}
