package verdict

import (
	"fmt"
	"slices"
)

// Confirm is the answer after a second, independent comparison. A regression stands only where
// the second comparison finds it again, in the same cell; else the cell is inconclusive. When no
// regression stands, the answer is inconclusive, or not measured where a cell is. An answer other
// than regressed stays as it is. second is nil when there is none.
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
			return d.Verdict == Regressed && d.Same(*c)
		})) {
			confirmed = true
		} else {
			c.Verdict, c.Unconfirmed = Inconclusive, true
		}
	}
	if !confirmed {
		a.Verdict, a.Why = Inconclusive, unconfirmed(second)
		if a.decides(NotMeasured) { // as in conclude
			a.Verdict = NotMeasured
		}
	}
	return a
}

// Unconfirmed begins the reason of an answer whose regression a second comparison did not find.
const Unconfirmed = "a first comparison found a regression"

func unconfirmed(second *Answer) string {
	switch {
	case second == nil:
		return Unconfirmed + ", and there is no second one to confirm it"
	case second.Verdict == Regressed:
		return Unconfirmed + ", and the second one found it in other cells"
	}
	return fmt.Sprintf("%s, but the second one says %s", Unconfirmed, second.Verdict)
}
