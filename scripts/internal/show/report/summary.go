package report

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
)

// summaryTable is the summary of a run, with a column of ranks beside each figure that ranks.
func summaryTable(records []record.Record) table {
	s := answer.Summarize(records)
	t := table{head: []string{"server"}, narrow: true, rows: make([]row, len(s.Targets))}
	for i, of := range s.Targets {
		t.rows[i] = row{cells: []cell{plain(marked(of.Name, of.Warning))}, apart: of.Reference}
	}
	for _, c := range s.Columns {
		t.head = append(t.head, strings.TrimSpace(c.Metric.Label+" "+c.Scenario))
		if c.Ranking != nil {
			t.head = append(t.head, "rank")
		}
		for i, of := range s.Targets {
			t.rows[i].cells = append(t.rows[i].cells, plain(c.Text(of, i)))
			if c.Ranking != nil {
				t.rows[i].cells = append(t.rows[i].cells, plain(c.Place(of)))
			}
		}
	}
	return t
}

// Notes are the warnings of a run, its conditions, the rules, and the origin of its numbers.
func Notes(records []record.Record) []string {
	counted, left := calm(records)
	return notes(counted, left)
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
		for _, r := range answer.Rankings(records) {
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
