package comment

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// maxDoubts is how many are shown, and maxDoubt how long, in bytes, all reasons
// against one round may be.
const (
	maxDoubts = 10
	maxDoubt  = 1500
)

// doubts says what was not taken, what is not there, which rounds do not count,
// and what casts doubt on those that do.
func doubts(answers []verdict.Answer, legs artifact.Result) (lines []string) {
	for _, r := range legs.Refused {
		lines = append(lines, fmt.Sprintf("artifact `%s` refused: `%s`", r.Artifact, r.Why))
	}
	for _, m := range legs.Missing {
		if strings.Contains(m, ":") { // a whole leg is in the answer's first lines
			lines = append(lines, m+": no records")
		}
	}
	var rest []string
	for _, a := range answers {
		if open(a) {
			lines = append(lines, a.ID().String()+": ended before all was decided; the run says why")
		}
		for _, s := range a.Spoiled {
			if round, _, _ := strings.Cut(s, ":"); len(s) > maxDoubt { // to be cut it would have to be escaped again
				s = round + ": more reasons than are shown here"
			}
			rest = append(rest, fmt.Sprintf("%s %s", a.ID(), s))
		}
	}
	for _, a := range answers {
		if a.Verdict != verdict.Identical { // else invalid, and said so already
			rest = append(rest, reasons(legs.Records[a.ID().Dotted()], a.Why+strings.Join(a.Spoiled, " "))...)
		}
	}
	lines = append(lines, rest...)
	if n := len(lines) - maxDoubts; n > 0 {
		lines = append(lines[:maxDoubts], fmt.Sprintf("and %d more reasons for doubt; the run has them", n))
	}
	return lines
}

// open says that further rounds were to be had, and could have decided more.
func open(a verdict.Answer) bool {
	return !a.Done && (a.Verdict == verdict.Inconclusive || slices.ContainsFunc(a.Cells, func(c verdict.Cell) bool { return c.Verdict == verdict.Inconclusive }))
}

// reasons quotes those of records that are not ok, each once: what ails k6 or
// the machine is in the record of every target. What is told already is not, nor
// what spoiled a round, of which one is told that differs in figures only.
func reasons(records []record.Record, told string) (lines []string) {
	type doubt struct {
		status record.Status
		why    string
	}
	var order []doubt
	first, of := map[doubt]record.Record{}, map[doubt]int{}
	for _, r := range artifact.Quoted(records) {
		for _, why := range r.Why {
			if slices.Contains(r.Conditions.Unfit, why) || strings.Contains(told, why) {
				continue
			}
			d := doubt{r.Status, why}
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
