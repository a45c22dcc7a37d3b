package answer

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// mostOutcomeRows is how many outcomes a table has.
const mostOutcomeRows = 20

// An OutcomeRow says in how many rounds a check or a threshold of a script failed, as tables show it.
type OutcomeRow struct {
	Name      string `json:"name"`
	Base      string `json:"base"`
	Head      string `json:"head"`
	HeadAlone bool   `json:"head_alone"` // it fails at head alone
}

// OutcomeRows are the thresholds of an answer, and what else failed. more is how many others failed.
func OutcomeRows(a verdict.Answer) (rows []OutcomeRow, more int) {
	failed := func(n, of int) string {
		if n == 0 {
			return "passes"
		}
		return fmt.Sprintf("fails in %d of %d rounds", n, of)
	}
	for _, o := range a.Outcomes { // those that fail come first
		switch {
		case !o.Fails() && !strings.HasPrefix(o.Name, "threshold "):
		case len(rows) == mostOutcomeRows:
			more++
		default:
			rows = append(rows, OutcomeRow{Plain(o.Name), failed(o.Base, o.Rounds), failed(o.Head, o.Rounds), o.HeadAlone()})
		}
	}
	return rows, more
}

// MoreOutcomes says how many outcomes a table leaves out; "" for none.
func MoreOutcomes(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d more fail, or are thresholds.", n)
}

// headAlone names what the server's own script finds at head alone, unless the verdict says it.
func headAlone(a verdict.Answer) []string {
	names := a.HeadAlone()
	if len(names) == 0 || strings.HasPrefix(a.Why, "at head alone fails: ") {
		return nil
	}
	return []string{"at head alone fails: " + strings.Join(names, ", ")}
}

// overLimit names the limits that head is above, and base is not.
func overLimit(a verdict.Answer) (texts []string) {
	for _, l := range a.OverLimit() {
		texts = append(texts, fmt.Sprintf("over the limit: %s %s (%s to %s), %s is %s",
			l.Criterion.Decides, amountOf(l.Limit, l.Head), Spelt(l.Low, 3), Spelt(l.High, 3), l.Name, Spelt(l.Most, 6)))
	}
	return texts
}

// amountOf is a figure in the unit of a limit.
func amountOf(l workload.Limit, v float64) string { return Spelt(v, 3) + " " + l.Unit }

// limitSentences say how a server stands to its limits, but for those that the headline has.
func limitSentences(a verdict.Answer) (all []string) {
	for _, l := range a.Limits {
		switch {
		case l.Fails():
		case l.BaseOver:
			all = append(all, fmt.Sprintf("Base is over %s already: %s, head %s, limit %s.", l.Name, amountOf(l.Limit, l.Base), amountOf(l.Limit, l.Head), amountOf(l.Limit, l.Most)))
		case l.High > l.Most:
			all = append(all, fmt.Sprintf("Not sure that head is within %s: %s (%s to %s), limit %s.", l.Name, amountOf(l.Limit, l.Head), Spelt(l.Low, 3), Spelt(l.High, 3), amountOf(l.Limit, l.Most)))
		default:
			all = append(all, fmt.Sprintf("Head is within %s: %s, limit %s.", l.Name, amountOf(l.Limit, l.Head), amountOf(l.Limit, l.Most)))
		}
	}
	return all
}
