package comment

import (
	"fmt"
	"slices"

	"fairstream/scripts/artifact"
	"fairstream/scripts/compare"
	"fairstream/scripts/record"
)

// maxDoubts is how many are shown.
const maxDoubts = 10

// doubts says what is not there, what was not taken, which rounds do not count,
// and what casts doubt on those that do.
func doubts(answers []compare.Answer, legs artifact.Result) (lines []string) {
	for _, m := range legs.Missing {
		lines = append(lines, m+": no records")
	}
	for _, r := range legs.Refused {
		lines = append(lines, fmt.Sprintf("artifact `%s` refused: `%s`", r.Artifact, r.Why))
	}
	var records []record.Record
	for _, a := range answers {
		for _, s := range a.Spoiled {
			lines = append(lines, fmt.Sprintf("%s %s", a.Server, s))
		}
		if !a.Done {
			lines = append(lines, fmt.Sprintf("%s: ended before all was decided; the run says why", a.Server))
		}
		if a.Verdict != compare.Identical { // else invalid, and said so already
			records = append(records, legs.Records[a.Server]...)
		}
	}
	reasons := reasons(records)
	lines = append(lines, reasons[:min(len(reasons), maxDoubts)]...)
	if n := len(reasons) - maxDoubts; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more reasons to doubt records; the run has them", n))
	}
	return lines
}

// reasons quotes those of records that are not ok, each once: what ails k6 or
// the machine is in the record of every target. What spoiled a round is told
// with the round.
func reasons(records []record.Record) (lines []string) {
	type doubt struct {
		status record.Status
		why    string
	}
	var order []doubt
	first, of := map[doubt]record.Record{}, map[doubt]int{}
	for _, r := range artifact.Quoted(records) {
		for _, why := range r.Why {
			if slices.Contains(r.Conditions.Unfit, why) {
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
		line := fmt.Sprintf("%s %s, round %d", r.Server.Name, r.Scenario, r.Round)
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
