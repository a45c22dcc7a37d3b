package answer

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// up rounds a share up to a tenth of a per cent.
func up(share float64) float64 { return math.Ceil(1000*share) / 10 }

// Change is a cell's change as text: a share, or an amount in the metric's unit; "" when it was not measured.
func Change(c verdict.Cell) string {
	if c.Verdict == verdict.NotMeasured {
		return ""
	}
	return amount(c, c.Change)
}

// Spelt formats a figure with n digits and never an exponent.
func Spelt(v float64, n int) string {
	return strconv.FormatFloat(record.LimitDigits(v, n), 'f', -1, 64)
}

func amount(c verdict.Cell, v float64) string {
	if c.Criterion.Absolute {
		plus := ""
		if v >= 0 {
			plus = "+"
		}
		return fmt.Sprintf("%s%s %s", plus, Spelt(v, 3), c.Metric.Unit)
	}
	if v > 2 { // hundreds of per cent need no digits
		return factor(v)
	}
	return fmt.Sprintf("%+.1f %%", 100*v)
}

// factor is a change as head's multiple of base.
func factor(v float64) string { return "x" + Spelt(1+v, 3) }

// Interval is the 95 % interval of the change as text.
func Interval(c verdict.Cell) string {
	if c.Verdict == verdict.NotMeasured {
		return ""
	}
	low, high := amount(c, c.Low), amount(c, c.High)
	if strings.HasPrefix(high, "x") { // one unit for both
		low = factor(c.Low)
	}
	if number, unit, _ := strings.Cut(low, " "); strings.HasSuffix(high, " "+unit) {
		low = number // the unit once
	}
	return fmt.Sprintf("%s to %s", low, high)
}

// Says is a cell's verdict as text, with the change that it excludes or leaves possible.
func Says(c verdict.Cell) string {
	switch c.Verdict {
	case verdict.Unchanged, verdict.NoLargeChange:
		if Probable(c) {
			return fmt.Sprintf("if it changed, by less than %s", least(c, c.Excluded()))
		}
		return fmt.Sprintf("no change of %s or more", least(c, c.Excluded()))
	case verdict.Inconclusive:
		if side := c.Leaning(); side != "" {
			return fmt.Sprintf("leaning %s, not sure enough", side)
		}
		return "inconclusive: " + possible(c)
	}
	return string(c.Verdict)
}

// possible says which change a cell leaves possible, as text.
func possible(c verdict.Cell) string {
	if hopeless(c) {
		return "even a large change is possible"
	}
	return "up to " + least(c, c.Excluded()) + " is possible"
}

// least is a change without its sign, rounded up.
func least(c verdict.Cell, v float64) string {
	if c.Criterion.Absolute {
		if v > 0 { // up to the third digit
			step := math.Pow(10, math.Floor(math.Log10(v))-2)
			v = math.Ceil(v/step-1e-9) * step
		}
		return fmt.Sprintf("%s %s", Spelt(v, 3), c.Metric.Unit)
	}
	return fmt.Sprintf("%.1f %%", up(v))
}

// figureOf is a cell's value in the unit of its label; "" when it was not measured.
func figureOf(c verdict.Cell, v float64) string {
	if c.Verdict == verdict.NotMeasured {
		return ""
	}
	if c.Metric.Unit == "bytes" {
		v *= 1e-6 // its label says MB
	}
	return Spelt(v, 4)
}

// A Row is a cell as tables show it: every figure is text.
type Row struct {
	Scenario string `json:"scenario"`
	Metric   string `json:"metric"` // its label
	Base     string `json:"base"`   // means of the rounds; "" where it was not measured, as in the next three
	Head     string `json:"head"`
	Change   string `json:"change"`
	Interval string `json:"interval"` // 95 %
	Result   string `json:"result"`
}

// NewRow is the row of a cell.
func NewRow(c verdict.Cell) Row {
	return Row{c.Scenario, c.Metric.Label, figureOf(c, c.Base), figureOf(c, c.Head), Change(c), Interval(c), Says(c)}
}

// Plain replaces each control or invisible character by a question mark, since records may come from others.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !unicode.IsGraphic(r) {
			return '?'
		}
		return r
	}, text)
}
