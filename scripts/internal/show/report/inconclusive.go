package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
)

// inconclusive is the headline of an answer that some cells leave open: the change that is
// likely, then what is open, and the next step.
func inconclusive(a verdict.Answer) string {
	var likely, open []verdict.Cell
	for _, c := range a.Cells {
		switch {
		case c.Verdict != verdict.Inconclusive:
		case probable(c):
			likely = append(likely, c)
		default:
			open = append(open, c)
		}
	}
	slices.SortStableFunc(likely, func(a, b verdict.Cell) int { return cmp.Compare(margins(b, b.Change), margins(a, a.Change)) })
	slices.SortStableFunc(open, func(a, b verdict.Cell) int { // hopeless cells last
		return cmp.Or(cmp.Compare(hopeless(a), hopeless(b)), cmp.Compare(margins(a, a.Missed), margins(b, b.Missed)))
	})
	var parts []string
	if n := len(likely); n > 0 {
		c := likely[0]
		parts = append(parts, fmt.Sprintf("%s probably %s%s, not sure enough at %.0f %% risk", cellName(c), Interval(c), more(n-1), 100*verdict.Alpha))
	}
	if n := len(open); n > 0 {
		parts = append(parts, fmt.Sprintf("%s%s open (%s)", cellName(open[0]), more(n-1), possible(open)))
	}
	return "inconclusive: " + strings.Join(parts, "; ")
}

// nextStep says what may decide an answer that is inconclusive; "" for any other.
func nextStep(a verdict.Answer) string {
	switch {
	case a.Verdict != verdict.Inconclusive:
		return ""
	case strings.HasPrefix(a.Why, verdict.Unconfirmed):
		return "compare again with more rounds (-rounds 24)"
	case len(a.Cells) == 0 && !a.Done:
		return "complete the comparison; it ended early"
	case len(a.Cells) == 0 || a.Why != "":
		return "a quieter hour; `scripts/bench doctor` names what disturbs the machine"
	}
	rounds := verdict.Rounds
	if a.Rounds >= rounds {
		rounds = 2 * a.Rounds
	}
	return fmt.Sprintf("more rounds (-rounds %d), or a quieter hour", rounds)
}

// probable says that a cell's 95 % interval excludes 0, though its verdict is open.
func probable(c verdict.Cell) bool { return c.Neighbour == 0 && (c.Low > 0 || c.High < 0) }

// margins is a change in multiples of its cell's margin.
func margins(c verdict.Cell, v float64) float64 { return math.Abs(v) / cmp.Or(c.Judged.Margin, 1) }

// Hopeless reports whether even a doubling of a cell could have been missed.
func Hopeless(c verdict.Cell) bool { return !c.Judged.Absolute && c.Missed > 1 }

// hopeless is 1 for a hopeless cell, else 0.
func hopeless(c verdict.Cell) int {
	if Hopeless(c) {
		return 1
	}
	return 0
}

// possible says which change the first of open cells leaves possible, and how many are hopeless.
func possible(open []verdict.Cell) string {
	text, n := room(open[0]), 0
	for _, c := range open {
		n += hopeless(c)
	}
	if n > 0 && n < len(open) {
		text += fmt.Sprintf("; even a large one in %d", n)
	}
	return text
}

func more(n int) string {
	if n < 1 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

func cellName(c verdict.Cell) string { return c.Scenario + " " + c.Metric.Label }
