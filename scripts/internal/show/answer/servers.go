package answer

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
)

// byUrgency orders verdicts, most urgent first.
var byUrgency = []verdict.Verdict{
	verdict.Regressed, verdict.NotMeasured, verdict.Improved, verdict.Inconclusive, verdict.NoLargeChange, verdict.Unchanged, verdict.Identical,
}

// ByUrgency orders answers, the most urgent first.
func ByUrgency(a, b verdict.Answer) int {
	return slices.Index(byUrgency, a.Verdict) - slices.Index(byUrgency, b.Verdict)
}

// Sentences are the answer about several servers: a line for each server with news, and one for all others. absent
// are servers without records.
func Sentences(answers []verdict.Answer, absent []string) string {
	var lines, calm []string
	for _, a := range answers {
		if !calmly(a) {
			lines = append(lines, fmt.Sprintf("**%s**: %s.", a.ID(), Headline(a)))
		}
	}
	for _, name := range absent {
		lines = append(lines, fmt.Sprintf("**%s**: not measured: no records arrived. See the job that loads it in the run.", name))
	}
	for _, v := range []verdict.Verdict{verdict.Unchanged, verdict.Identical} {
		together, names := verdict.Answer{Verdict: v}, []string{}
		for _, a := range answers {
			if a.Verdict == v && calmly(a) {
				together.Cells, names = append(together.Cells, a.Cells...), append(names, a.ID().String())
			}
		}
		if len(names) > 0 {
			calm = append(calm, fmt.Sprintf("**%s**: %s", strings.Join(names, ", "), Headline(together)))
		}
	}
	if len(calm) > 0 {
		lines = append(lines, strings.Join(calm, "; ")+".")
	}
	return strings.Join(lines, "\n")
}

// calmly reports whether a verdict says that nothing changed, and nothing else, such as which package was changed.
func calmly(a verdict.Answer) bool {
	return (a.Verdict == verdict.Unchanged || a.Verdict == verdict.Identical) && !HasNews(a) && !a.Bump
}

// Unmeasured names the cells without figures, for each server. The headline names those that are open.
func Unmeasured(answers []verdict.Answer) (lines []string) {
	for _, a := range answers {
		var none []string
		for _, c := range a.Cells {
			if c.Verdict == verdict.NotMeasured {
				none = append(none, c.Scenario+" "+c.Metric.Label)
			}
		}
		if len(none) > 0 {
			lines = append(lines, fmt.Sprintf("%s: not measured, because figures are missing in some rounds: %s", a.ID(), strings.Join(none, ", ")))
		}
	}
	return lines
}
