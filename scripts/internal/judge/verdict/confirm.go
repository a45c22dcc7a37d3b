package verdict

import (
	"fmt"
	"slices"
)

// Confirm is the answer of a comparison whose regression must be found again by a
// second, independent one: what the second does not call regressed, of the same
// cell, is inconclusive. With nothing left so is the answer, or not measured where a
// cell is. Any other answer of the first stands as it is. second is nil when there is
// none.
func Confirm(first Answer, second *Answer) Answer {
	if first.Verdict != Regressed {
		return first
	}
	a := first
	a.Cells = slices.Clone(first.Cells)
	again := second != nil && second.Verdict == Regressed
	if len(a.Cells) == 0 { // head failed
		if !again || len(second.Cells) > 0 {
			a.Verdict, a.Why = Inconclusive, unconfirmed(second)
		}
		return a
	}
	confirmed := false
	for i := range a.Cells {
		c := &a.Cells[i]
		if c.Verdict != Regressed {
			continue
		}
		if again && (len(second.Cells) == 0 || slices.ContainsFunc(second.Cells, func(d Cell) bool {
			return d.Verdict == Regressed && d.Scenario == c.Scenario && d.Metric.Name == c.Metric.Name
		})) {
			confirmed = true
		} else {
			c.Verdict = Inconclusive
		}
	}
	if !confirmed {
		a.Verdict, a.Why = Inconclusive, unconfirmed(second)
		if slices.ContainsFunc(a.Cells, func(c Cell) bool { return c.Verdict == NotMeasured }) { // as in conclude
			a.Verdict = NotMeasured
		}
	}
	return a
}

func unconfirmed(second *Answer) string {
	switch {
	case second == nil:
		return "a first comparison said regressed, and there is no second one to confirm it"
	case second.Verdict == Regressed:
		return "a first comparison said regressed, and a second one of other cells"
	}
	return fmt.Sprintf("a first comparison said regressed, a second one %s", second.Verdict)
}
