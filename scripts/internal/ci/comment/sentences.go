package comment

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/report"
)

// byUrgency orders verdicts, most urgent first.
var byUrgency = []verdict.Verdict{
	verdict.Regressed, verdict.NotMeasured, verdict.Improved, verdict.Inconclusive, verdict.Unchanged, verdict.Identical,
}

func urgency(v verdict.Verdict) int { return slices.Index(byUrgency, v) }

// sentences are the answer: a line for each server with news, and one for all others. absent
// are servers without records.
func sentences(answers []verdict.Answer, absent []string) string {
	var lines, calm []string
	for _, a := range answers {
		if a.Verdict != verdict.Unchanged && a.Verdict != verdict.Identical {
			lines = append(lines, fmt.Sprintf("**%s**: %s.", a.ID(), report.Headline(a)))
		}
	}
	for _, name := range absent {
		lines = append(lines, fmt.Sprintf("**%s**: not measured: no records arrived. See the job that loads it in the run.", name))
	}
	for _, v := range []verdict.Verdict{verdict.Unchanged, verdict.Identical} {
		together, names := verdict.Answer{Verdict: v}, []string{}
		for _, a := range answers {
			if a.Verdict == v {
				together.Cells, names = append(together.Cells, a.Cells...), append(names, a.ID().String())
			}
		}
		if len(names) > 0 {
			calm = append(calm, fmt.Sprintf("**%s**: %s", strings.Join(names, ", "), report.Headline(together)))
		}
	}
	if len(calm) > 0 {
		lines = append(lines, strings.Join(calm, "; ")+".")
	}
	return strings.Join(lines, "\n")
}

// absent are the servers of a plan without records.
func absent(p plan.Plan, uploads artifact.Result) (names []string) {
	for _, s := range p.Servers {
		if len(uploads.Records[s.Dotted()]) == 0 {
			names = append(names, s.String())
		}
	}
	return names
}

// maxOpen is how many possible changes are listed.
const maxOpen = 2

// missed says which changes stay possible, for each server, because its rounds were too few or
// too noisy. Cells in which any change is possible come last.
func missed(answers []verdict.Answer) (lines []string) {
	for _, a := range answers {
		var parts, noisy, none []string
		for _, c := range a.Cells {
			name := c.Scenario + " " + c.Metric.Label
			switch c.Verdict {
			case verdict.Inconclusive:
				if !c.Deciding() {
					continue // it leaves the verdict as it is
				}
				if report.Hopeless(c) {
					noisy = append(noisy, name)
				} else {
					parts = append(parts, report.Missed(c)+" in "+name)
				}
			case verdict.NotMeasured:
				none = append(none, name)
			}
		}
		if n := len(parts) - maxOpen; n > 0 { // the table of all cells has them
			parts = append(parts[:maxOpen], fmt.Sprintf("and in %d more cells", n))
		}
		if len(parts) > 0 {
			lines = append(lines, fmt.Sprintf("%s: possible changes: under %s", a.ID(), strings.Join(parts, ", ")))
		}
		if len(noisy) > 0 {
			lines = append(lines, fmt.Sprintf("%s: even large changes are possible in %s", a.ID(), strings.Join(noisy, ", ")))
		}
		if len(none) > 0 {
			lines = append(lines, fmt.Sprintf("%s: not measured, because figures are missing in some rounds: %s", a.ID(), strings.Join(none, ", ")))
		}
	}
	return lines
}
