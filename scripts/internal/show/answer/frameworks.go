package answer

import (
	"fmt"
	"math"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Frameworks is the table of the additions of frameworks to plain servers. It has a column for each framework.
type Frameworks struct {
	Title string
	Head  []string   // without the column of names
	Rows  [][]string // the first cell is the name of the figure
	Note  string
}

// NewFrameworks compares each framework of a run with the plain server of its language. A run without such a pair, and a
// quick one, has no rows.
func NewFrameworks(records []record.Record) Frameworks {
	t := Frameworks{Title: "What a framework adds to the plain server of its language"}
	if records[0].Run.Quick {
		return t
	}
	w := rank.WorkloadOf(records)
	rows, early := make([][]string, len(w.Additions)), false
	for i, a := range w.Additions {
		rows[i] = []string{a.Label}
	}
	t.Note = "Both servers have the same rounds, and a figure is the mean over them. In brackets is its 95 % interval by Student's t."
	for _, f := range w.Frameworks {
		of, than := record.OfTarget(records, f.Server), record.OfTarget(records, f.Plain)
		if len(of) == 0 || len(than) == 0 {
			continue
		}
		t.Head = append(t.Head, f.Server+" / "+f.Plain)
		for i, a := range w.Additions {
			text := added(of, than, a)
			if f.EarlyTools && a.AfterModel {
				text, early = text+" *", true
			}
			rows[i] = append(rows[i], text)
		}
	}
	if t.Head != nil {
		t.Rows = rows
	}
	if early {
		t.Note += " A star: the framework starts a tool while the model still speaks, and time between turns begins when it ends. So the figure may be too low."
	}
	return t
}

// added is what a framework adds to a figure of its plain server.
func added(of, than []record.Record, a workload.Addition) string {
	i, text := rank.Ratio(of, than, a.Part), func(v float64) string { return fmt.Sprintf("%.2f", v) }
	if a.More {
		i, text = rank.Difference(of, than, a.Part), func(v float64) string { return fmt.Sprintf("%+.*f", a.Column.Decimals, v*a.Column.Scale) }
	}
	switch {
	case math.IsNaN(i.Mid):
		return rank.Unknown
	case math.IsInf(i.High, 1):
		return text(i.Mid)
	}
	if low, high := text(i.Low), text(i.High); low != high {
		return fmt.Sprintf("%s (%s to %s)", text(i.Mid), low, high)
	}
	return text(i.Mid)
}
