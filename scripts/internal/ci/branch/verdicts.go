package branch

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/report"
)

// A Verdict is the answer of one comparison on main.
type Verdict struct {
	plan.Comparison
	Answer      verdict.Answer // inconclusive unless confirmed
	Event       verdict.Event
	Acceptances []accept.Acceptance // acceptances of regressions between base and head
}

// Verdicts judges the comparisons of a workflow's run, whose number is run. A comparison without records has no
// verdict and is reported as missing.
func Verdicts(p plan.Plan, uploads artifact.Result, run string) (verdicts []Verdict) {
	for _, comparison := range p.Comparisons {
		first, id, ok := judge(uploads, plan.ComparisonRun(comparison.Server), run)
		if !ok {
			continue
		}
		var second *verdict.Answer
		again, againID, ok := judge(uploads, plan.ConfirmRun(comparison.Server), run)
		if ok && againID == id { // not of another attempt
			second = &again
		}
		v := Verdict{Comparison: comparison, Answer: verdict.Confirm(first, second)}
		v.Event = verdict.Event{
			Base: comparison.Base, Head: p.Revision, Gradual: comparison.Gradual, Quick: p.Quick, Run: id, Epoch: record.Epoch(uploads.Comparisons[plan.ComparisonRun(comparison.Server)][0]),
			Confirmed: v.Answer.Verdict == verdict.Regressed,
		}
		v.Event.Add(v.Answer)
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// judge returns the answer of a job, and the run with the attempt that loaded it.
func judge(uploads artifact.Result, job, run string) (a verdict.Answer, id string, ok bool) {
	for _, a := range verdict.Compare(artifact.Quoted(uploads.Comparisons[job])) {
		return a, fmt.Sprintf("%s-%d", run, max(1, uploads.Attempts[job])), true // the records are of one server
	}
	return a, "", false
}

// WriteVerdicts writes Markdown: a sentence for each comparison, then the cells that changed. Texts
// from machines stand in code spans.
func WriteVerdicts(w *strings.Builder, p plan.Plan, verdicts []Verdict) {
	if len(p.Comparisons) == 0 {
		return
	}
	fmt.Fprint(w, "### Verdicts: this commit against an earlier one\n\nEach server beside an earlier version, in the same minutes.\n\n")
	for _, comparison := range p.Comparisons {
		i := slices.IndexFunc(verdicts, func(v Verdict) bool { return v.Server == comparison.Server })
		if i < 0 {
			fmt.Fprintf(w, "**%s** since `%.12s`: not measured: no records arrived. See the job that loads it.\n\n", comparison.Server, comparison.Base)
			continue
		}
		v := verdicts[i]
		fmt.Fprintf(w, "**%s** since `%.12s`%s: %s%s.\n\n", v.Server, v.Base, v.level(), answer.Headline(v.Answer), v.acceptedNote())
		report.CellsMarkdown(w, v.Changed())
		v.WriteAccepted(w)
	}
}

// level explains a base that is many changes away.
func (v Verdict) level() string {
	if v.Gradual {
		return " (gradual: all changes since then together)"
	}
	return ""
}

// acceptedNote follows a regression that is accepted in all cells.
func (v Verdict) acceptedNote() string {
	if v.Answer.Verdict == verdict.Regressed && !v.Alerts() {
		return " (accepted)"
	}
	return ""
}

// Changed are the cells that regressed or improved.
func (v Verdict) Changed() []verdict.Cell {
	return slices.DeleteFunc(slices.Clone(v.Answer.Cells), func(c verdict.Cell) bool {
		return c.Verdict != verdict.Regressed && c.Verdict != verdict.Improved
	})
}
