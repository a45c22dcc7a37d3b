package branch

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/verdict"
)

// acceptance is the acceptance of a cell's regression; nil when there is none.
func (v Verdict) acceptance(c verdict.Cell) *accept.Acceptance {
	return accept.Find(v.Acceptances, c.Scenario, c.Metric.Name)
}

// Regressed lists the cells that regressed. Open lists those that nobody accepted.
func (v Verdict) Regressed() []verdict.Cell {
	return slices.DeleteFunc(slices.Clone(v.Answer.Cells), func(c verdict.Cell) bool { return c.Verdict != verdict.Regressed })
}

func (v Verdict) Open() []verdict.Cell {
	return slices.DeleteFunc(v.Regressed(), func(c verdict.Cell) bool { return v.acceptance(c) != nil })
}

// Alerts reports whether a server has a regression that nobody accepted. A failing server needs an
// acceptance of every cell.
func (v Verdict) Alerts() bool {
	fails := len(v.Regressed()) == 0 && v.serverAcceptance() == nil
	return v.Answer.Verdict == verdict.Regressed && (fails || len(v.Open()) > 0)
}

// serverAcceptance is an acceptance of every cell; nil when there is none.
func (v Verdict) serverAcceptance() *accept.Acceptance {
	for i := range v.Acceptances {
		if v.Acceptances[i].All() {
			return &v.Acceptances[i]
		}
	}
	return nil
}

// accepted lists the accepted regressions, by whom and why. Texts of people stand in code spans.
func (v Verdict) accepted() (lines []string) {
	line := func(what string, a accept.Acceptance) {
		until := ""
		if a.Expires != nil {
			until = ", until " + *a.Expires
		}
		lines = append(lines, fmt.Sprintf("%s: accepted by `%s` since `%.12s`%s: `%s` (%s/%s)",
			what, artifact.Harmless(a.By), a.Since, until, artifact.Harmless(a.Reason), accept.Dir, artifact.Harmless(a.File)))
	}
	for _, c := range v.Regressed() {
		if a := v.acceptance(c); a != nil {
			line(c.Scenario+" "+c.Metric.Label, *a)
		}
	}
	if a := v.serverAcceptance(); a != nil && v.Answer.Verdict == verdict.Regressed && len(v.Regressed()) == 0 {
		line("its failure", *a)
	}
	return lines
}

// WriteAccepted writes the accepted regressions as a list, or nothing.
func (v Verdict) WriteAccepted(w *strings.Builder) {
	lines := v.accepted()
	for _, line := range lines {
		fmt.Fprintf(w, "- %s\n", line)
	}
	if len(lines) > 0 {
		fmt.Fprintln(w)
	}
}
