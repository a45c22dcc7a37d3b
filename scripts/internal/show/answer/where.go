package answer

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/judge/where"
)

// A FunctionRow is a function of a list, as tables show it. Times are those of a request in microseconds.
type FunctionRow struct {
	Name  string    // with up to two functions that call it
	Cells [3]string // as FunctionColumns says
}

// FunctionColumns are the titles of the columns before the name.
func FunctionColumns(f where.Found) [3]string {
	if f.Alone {
		return [3]string{"own time", "95 % interval", "with all it calls"}
	}
	return [3]string{"change", "own time", "with all it calls"}
}

// FunctionRows are the functions of a server, the most first.
func FunctionRows(f where.Found) (rows []FunctionRow) {
	for _, of := range f.Functions {
		from := of.From[max(0, len(of.From)-2):]
		r := FunctionRow{Name: Plain(strings.Join(append(append([]string{}, from...), of.Name), " > "))}
		if f.Alone {
			r.Cells = [3]string{us(of.Own.Head), fmt.Sprintf("%.1f to %.1f", of.Own.Low, of.Own.High), us(of.Total.Head)}
		} else {
			most := of.Most()
			r.Cells = [3]string{fmt.Sprintf("%+.1f us (%+.1f to %+.1f)", most.By, most.Low, most.High), fromTo(of.Own), fromTo(of.Total)}
		}
		rows = append(rows, r)
	}
	return rows
}

func us(v float64) string { return fmt.Sprintf("%.1f us", v) }

func fromTo(c where.Change) string { return fmt.Sprintf("%.1f to %.1f us", c.Base, c.Head) }

// FunctionsSentence says what the list is.
func FunctionsSentence(f where.Found) string {
	text := fmt.Sprintf("Functions that changed in %s, by samples of perf in %d more rounds; times are those of one %s. This is a hint: no verdict depends on it.", f.Scenario, f.Rounds, f.Unit)
	switch {
	case f.Alone:
		text = fmt.Sprintf("Functions of %s that take most time themselves in %s, by samples of perf in %d more rounds; times are those of one %s. Nothing is ranked by them.", f.Server, f.Scenario, f.Rounds, f.Unit)
	case len(f.Functions) == 0:
		text = fmt.Sprintf("No function changed enough to be named, by samples of perf in %d more rounds of %s.", f.Rounds, f.Scenario)
	}
	if f.Note != "" {
		text += " " + f.Note
	}
	return text
}
