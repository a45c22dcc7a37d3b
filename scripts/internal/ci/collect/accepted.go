package collect

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/verdict"
)

// acceptance is the acknowledgement of a regression of a cell; nil when there is none.
func (v Verdict) acceptance(c verdict.Cell) *accept.Acceptance {
	return accept.Find(v.Acceptances, c.Scenario, c.Metric.Name)
}

// Regressed are the cells that did, and Open those of them that nobody accepted.
func (v Verdict) Regressed() []verdict.Cell {
	return slices.DeleteFunc(slices.Clone(v.Answer.Cells), func(c verdict.Cell) bool { return c.Verdict != verdict.Regressed })
}

func (v Verdict) Open() []verdict.Cell {
	return slices.DeleteFunc(v.Regressed(), func(c verdict.Cell) bool { return v.acceptance(c) != nil })
}

// Alerts says that a server regressed, and that not all of it is accepted.
// That it fails is accepted by one that is of every cell.
func (v Verdict) Alerts() bool {
	fails := len(v.Regressed()) == 0 && v.whole() == nil
	return v.Answer.Verdict == verdict.Regressed && (fails || len(v.Open()) > 0)
}

// whole is an acknowledgement of every cell; nil when there is none.
func (v Verdict) whole() *accept.Acceptance {
	for i := range v.Acceptances {
		if v.Acceptances[i].All() {
			return &v.Acceptances[i]
		}
	}
	return nil
}

// accepted says which regressions are, by whom and why; what a person wrote
// stands in code spans.
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
	if a := v.whole(); a != nil && v.Answer.Verdict == verdict.Regressed && len(v.Regressed()) == 0 {
		line("that it fails", *a)
	}
	return lines
}

// WriteAccepted writes them as a list, or nothing.
func (v Verdict) WriteAccepted(w *strings.Builder) {
	lines := v.accepted()
	for _, line := range lines {
		fmt.Fprintf(w, "- %s\n", line)
	}
	if len(lines) > 0 {
		fmt.Fprintln(w)
	}
}
