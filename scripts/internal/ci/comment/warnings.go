package comment

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// maxWarnings is how many warnings are shown. maxWarning is how many bytes the reasons against one
// round may have.
const (
	maxWarnings = 10
	maxWarning  = 1500
)

// warnings lists refused artifacts, missing records, discarded rounds, and the warnings of rounds
// that count.
func warnings(answers []verdict.Answer, uploads artifact.Result) (lines []string) {
	for _, r := range uploads.Refused {
		lines = append(lines, fmt.Sprintf("artifact `%s` refused: `%s`", r.Artifact, r.Why))
	}
	for _, m := range uploads.Missing {
		if strings.Contains(m, ":") { // the answer begins with missing servers
			lines = append(lines, m+": no records")
		}
	}
	var rest []string
	for _, a := range answers {
		if open(a) {
			lines = append(lines, a.ID().String()+": the comparison ended early, so some cells are undecided; see its job in the run")
		}
		for _, s := range a.Discarded {
			if round, _, _ := strings.Cut(s, ":"); len(s) > maxWarning { // a shortened text would have to be escaped again
				s = round + ": too many reasons to show here; the run has them"
			}
			rest = append(rest, fmt.Sprintf("%s %s", a.ID(), s))
		}
	}
	for _, a := range answers {
		if a.Verdict != verdict.Identical { // records of identical servers are invalid anyway
			rest = append(rest, reasons(uploads.Records[a.ID().Dotted()], a.Why+strings.Join(a.Discarded, " "))...)
		}
	}
	lines = append(lines, rest...)
	if n := len(lines) - maxWarnings; n > 0 {
		lines = append(lines[:maxWarnings], fmt.Sprintf("and %d more; the run has them", n))
	}
	return lines
}

// open reports whether more rounds were planned that could have decided more.
func open(a verdict.Answer) bool {
	return !a.Done && (a.Verdict == verdict.Inconclusive || a.Verdict == verdict.NoLargeChange || slices.ContainsFunc(a.Cells, func(c verdict.Cell) bool { return c.Verdict == verdict.Inconclusive }))
}

// reasons quotes the reasons of records that are not ok, each once, because trouble of k6 or the
// machine is in the record of every target. It leaves out what is in reported, and reasons that
// discarded a round.
func reasons(records []record.Record, reported string) (lines []string) {
	type warning struct {
		status record.Status
		why    string
	}
	var order []warning
	first, of := map[warning]record.Record{}, map[warning]int{}
	for _, r := range artifact.Quoted(records) {
		for _, why := range r.Why {
			if slices.Contains(r.Conditions.Disturbed, why) || strings.Contains(reported, why) {
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
