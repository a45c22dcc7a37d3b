package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// inconclusive says of an answer that some deciding cells leave open: how cells lean, the likely change, then what is
// excluded, what is open, and what is excluded only to a size.
func inconclusive(a verdict.Answer) []string {
	return slices.Concat(leaning(a), likely(a), excluded(a.Cells), open(a), sizes(a))
}

// leaning names each cell that leans, with its interval.
func leaning(a verdict.Answer) (texts []string) {
	for _, side := range []string{"worse", "better"} {
		var names []string
		for _, c := range a.Cells {
			if c.Leaning() == side {
				names = append(names, cellName(c)+" "+Interval(c))
			}
		}
		if names != nil {
			texts = append(texts, fmt.Sprintf("leaning %s: %s, not sure enough at %.2g %% risk", side, strings.Join(names, ", "), 100*a.Alpha))
		}
	}
	return texts
}

// likely is the largest change that is probable, in the deciding cells that are open and do not lean.
func likely(a verdict.Answer) []string {
	cells := slices.DeleteFunc(slices.Clone(a.Cells), func(c verdict.Cell) bool {
		return !isOpen(c) || !Probable(c) || c.Leaning() != ""
	})
	if len(cells) == 0 {
		return nil
	}
	most := slices.MaxFunc(cells, func(a, b verdict.Cell) int { return cmp.Compare(margins(a), margins(b)) })
	return []string{fmt.Sprintf("%s probably %s%s, not sure enough at %.2g %% risk", most.Criterion.Decides, Interval(most), more(len(cells)-1), 100*a.Alpha)}
}

// excluded names the subjects without a change.
func excluded(cells []verdict.Cell) []string {
	var subjects []string
	for _, c := range cells {
		if c.Verdict == verdict.Unchanged && c.Deciding() && !slices.Contains(subjects, c.Criterion.Decides) {
			subjects = append(subjects, c.Criterion.Decides)
		}
	}
	if len(subjects) == 0 {
		return nil
	}
	slices.Sort(subjects)
	return []string{"no change in " + strings.Join(subjects, ", ")}
}

// sizes names the deciding cells that exclude more than their margin, the farthest first: "throughput only to 4.2 %".
func sizes(a verdict.Answer) []string {
	cells := slices.DeleteFunc(slices.Clone(a.Cells), func(c verdict.Cell) bool {
		return !c.Deciding() || c.Verdict != verdict.NoLargeChange
	})
	slices.SortFunc(cells, func(a, b verdict.Cell) int {
		return cmp.Compare(b.Excluded()/b.Criterion.Margin, a.Excluded()/a.Criterion.Margin)
	})
	var texts []string
	for _, c := range cells {
		texts = append(texts, fmt.Sprintf("%s only to %s", c.Criterion.Decides, least(c, c.Excluded())))
	}
	if texts == nil {
		return nil
	}
	return []string{strings.Join(texts, ", ")}
}

// open says of each other deciding cell that is open which change is possible.
func open(a verdict.Answer) []string {
	cells := slices.DeleteFunc(slices.Clone(a.Cells), func(c verdict.Cell) bool { return !isOpen(c) || Probable(c) })
	slices.SortFunc(cells, func(a, b verdict.Cell) int { return strings.Compare(a.Criterion.Decides, b.Criterion.Decides) })
	var texts []string
	for _, c := range cells {
		if len(cells) == 1 {
			return []string{c.Criterion.Decides + ": " + possible(c)}
		}
		texts = append(texts, fmt.Sprintf("%s (%s)", c.Criterion.Decides, strings.TrimSuffix(possible(c), " is possible")))
	}
	if texts == nil {
		return nil
	}
	return []string{strings.Join(texts, ", ") + " are open"}
}

// isOpen reports whether a cell leaves its server without a verdict.
func isOpen(c verdict.Cell) bool { return c.Deciding() && c.Verdict == verdict.Inconclusive }

// nextStep says what may decide an answer that is inconclusive; "" for any other.
func nextStep(a verdict.Answer) string {
	switch {
	case a.Quick && len(a.Cells) > 0:
		return "the same without -quick, since a short load proves little"
	case a.Verdict != verdict.Inconclusive:
		return ""
	case strings.HasPrefix(a.Why, verdict.TooManyFailed):
		return "find out why requests fail; the server's logs are beside the records"
	case strings.HasPrefix(a.Why, verdict.Unconfirmed):
		return fmt.Sprintf("compare again with more rounds (-rounds %d)", 2*a.Rounds)
	case len(a.Cells) == 0 && !a.Done:
		return "complete the comparison; it ended early"
	case len(a.Cells) == 0 || a.Why != "":
		return "a quieter hour; `scripts/bench doctor` names what disturbs the machine"
	}
	busier := ""
	if workload.Named(a.Workload).Scripted {
		busier = "a script that sends more requests, "
	}
	if a.Rounds >= verdict.Rounds {
		return busier + "a quieter hour, or a machine of its own"
	}
	return fmt.Sprintf("more rounds (-rounds %d), %sor a quieter hour", verdict.Rounds, busier)
}

// Probable says that a cell's 95 % interval excludes 0, though its verdict is open.
func Probable(c verdict.Cell) bool { return c.Low > 0 || c.High < 0 }

// margins is a cell's change in multiples of its margin.
func margins(c verdict.Cell) float64 { return math.Abs(c.Change) / cmp.Or(c.Criterion.Margin, 1) }

// hopeless reports whether even a doubling of a cell is possible.
func hopeless(c verdict.Cell) bool { return !c.Criterion.Absolute && c.Excluded() > 1 }

func more(n int) string {
	if n < 1 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

func cellName(c verdict.Cell) string { return c.Scenario + " " + c.Metric.Label }
