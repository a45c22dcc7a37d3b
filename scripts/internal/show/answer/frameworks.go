package answer

import (
	"fmt"
	"math"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Frameworks is the table of the additions of frameworks to plain servers. It has a column for each pair.
type Frameworks struct {
	Title string
	Pairs []workload.Framework
	Rows  []FrameworksRow
	Note  string
}

// A FrameworksRow is one figure of all pairs.
type FrameworksRow struct {
	Label string
	Added []Added
}

// Added is what a framework adds to a figure. Note is the interval in brackets, a star, both or "".
type Added struct {
	Figure, Note string
}

// NewFrameworks compares each framework of a run with the plain server of its language. A run without such a pair, and a
// quick one, has no rows.
func NewFrameworks(records []record.Record) Frameworks {
	t := Frameworks{Title: "What a framework adds to the plain server of its language"}
	if records[0].Run.Quick {
		return t
	}
	w := rank.WorkloadOf(records)
	rows, early := make([]FrameworksRow, len(w.Additions)), false
	for i, a := range w.Additions {
		rows[i].Label = a.Label
	}
	t.Note = "Both servers have the same rounds, and a figure is the mean over them. In brackets is its 95 % interval by Student's t."
	for _, f := range w.Frameworks {
		of, than := record.OfTarget(records, f.Server), record.OfTarget(records, f.Plain)
		if len(of) == 0 || len(than) == 0 {
			continue
		}
		t.Pairs = append(t.Pairs, f)
		for i, a := range w.Additions {
			added := newAdded(of, than, a)
			if f.EarlyTools && a.AfterModel {
				added.Note, early = strings.TrimSpace(added.Note+" *"), true
			}
			rows[i].Added = append(rows[i].Added, added)
		}
	}
	if t.Pairs != nil {
		t.Rows = rows
	}
	if early {
		t.Note += " A star: the framework starts a tool while the model still speaks, and time between turns begins when it ends. So the figure may be too low."
	}
	return t
}

func newAdded(of, than []record.Record, a workload.Addition) Added {
	i, text := rank.Ratio(of, than, a.Part), func(v float64) string { return fmt.Sprintf("%.2f", v) }
	if a.More {
		i, text = rank.Difference(of, than, a.Part), func(v float64) string { return fmt.Sprintf("%+.*f", a.Column.Decimals, v*a.Column.Scale) }
	}
	if math.IsNaN(i.Mid) {
		return Added{Figure: rank.Unknown}
	}
	added := Added{Figure: text(i.Mid)}
	if low, high := text(i.Low), text(i.High); !math.IsInf(i.High, 1) && low != high {
		added.Note = fmt.Sprintf("(%s to %s)", low, high)
	}
	return added
}
