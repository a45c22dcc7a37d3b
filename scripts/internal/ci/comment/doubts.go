package comment

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// maxWarnings is how many are shown, and maxWarning how long, in bytes, all reasons
// against one round may be.
const (
	maxWarnings = 10
	maxWarning  = 1500
)

// warnings says what was not taken, what is not there, which rounds do not count,
// and what casts warning on those that do.
func warnings(answers []verdict.Answer, trendRuns artifact.Result) (lines []string) {
	for _, r := range trendRuns.Refused {
		lines = append(lines, fmt.Sprintf("artifact `%s` refused: `%s`", r.Artifact, r.Why))
	}
	for _, m := range trendRuns.Missing {
		if strings.Contains(m, ":") { // a whole trend run is in the answer's first lines
			lines = append(lines, m+": no records")
		}
	}
	var rest []string
	for _, a := range answers {
		if open(a) {
			lines = append(lines, a.ID().String()+": ended before all was decided; the run says why")
		}
		for _, s := range a.Discarded {
			if round, _, _ := strings.Cut(s, ":"); len(s) > maxWarning { // to be cut it would have to be escaped again
				s = round + ": more reasons than are shown here"
			}
			rest = append(rest, fmt.Sprintf("%s %s", a.ID(), s))
		}
	}
	for _, a := range answers {
		if a.Verdict != verdict.Identical { // else invalid, and said so already
			rest = append(rest, reasons(trendRuns.Records[a.ID().Dotted()], a.Why+strings.Join(a.Discarded, " "))...)
		}
	}
	lines = append(lines, rest...)
	if n := len(lines) - maxWarnings; n > 0 {
		lines = append(lines[:maxWarnings], fmt.Sprintf("and %d more reasons for warning; the run has them", n))
	}
	return lines
}

// open says that further rounds were to be had, and could have decided more.
func open(a verdict.Answer) bool {
	return !a.Done && (a.Verdict == verdict.Inconclusive || slices.ContainsFunc(a.Cells, func(c verdict.Cell) bool { return c.Verdict == verdict.Inconclusive }))
}

// reasons quotes those of records that are not ok, each once: what ails k6 or
// the machine is in the record of every target. What is told already is not, nor
// what discarded a round, of which one is told that differs in figures only.
func reasons(records []record.Record, told string) (lines []string) {
	type warning struct {
		status record.Status
		why    string
	}
	var order []warning
	first, of := map[warning]record.Record{}, map[warning]int{}
	for _, r := range artifact.Quoted(records) {
		for _, why := range r.Why {
			if slices.Contains(r.Conditions.Disturbed, why) || strings.Contains(told, why) {
				continue
			}
			d := warning{r.Status, why}
			if of[d]++; of[d] == 1 {
				order, first[d] = append(order, d), r
			}
		}
	}
	for _, d := range order {
		r := first[d]
		line := fmt.Sprintf("%s %s, round %d", r.ID(), r.Scenario, r.Round)
		if r.Server.Side != "" {
			line += " of " + r.Server.Side
		}
		if n := of[d] - 1; n > 0 {
			line += fmt.Sprintf(", and %d more records", n)
		}
		lines = append(lines, fmt.Sprintf("%s: %s: %s", line, d.status, d.why))
	}
	return lines
}
