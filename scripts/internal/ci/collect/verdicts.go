package collect

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/report"
)

// A Verdict is the answer of one pair of main.
type Verdict struct {
	plan.Pair
	Answer verdict.Answer // confirmed, or else inconclusive
	Flag   archive.Flag
	Acks   []accept.Ack // that accept what became worse between base and head
}

// Verdicts judges the pairs of a workflow's run, whose number is run, and says
// what later ones may learn of their scatter. A pair without records has no
// verdict: it is among what is missing. What the run itself left in the past
// before it was run again is no past.
func Verdicts(p plan.Plan, legs artifact.Result, past []verdict.Past, run string) (verdicts []Verdict, remember []verdict.Past) {
	past = slices.DeleteFunc(slices.Clone(past), func(line verdict.Past) bool { return strings.HasPrefix(line.Run, run+"-") })
	priors := verdict.FitPriors(past)
	for _, pair := range p.Pairs {
		first, id, ok := judge(legs, plan.PairLeg(pair.Server), priors, run)
		if !ok {
			continue
		}
		remember = append(remember, remembered(p, legs, plan.PairLeg(pair.Server), id)...)
		var second *verdict.Answer
		again, againID, ok := judge(legs, plan.ConfirmLeg(pair.Server), priors, run)
		if ok && againID == id { // not of another attempt
			second = &again
		}
		if ok {
			remember = append(remember, remembered(p, legs, plan.ConfirmLeg(pair.Server), againID+"-confirm")...)
		}
		v := Verdict{Pair: pair, Answer: verdict.Confirm(first, second)}
		v.Flag = archive.Flag{
			Base: pair.Base, Head: p.Revision, Creep: pair.Creep, Quick: p.Quick, Run: id, Epoch: record.Epoch(legs.Pairs[plan.PairLeg(pair.Server)][0]),
			Confirmed: v.Answer.Verdict == verdict.Regressed,
		}
		v.Flag.Add(v.Answer, priors)
		verdicts = append(verdicts, v)
	}
	return verdicts, remember
}

// judge is the answer of a leg, and which attempt of the run loaded it.
func judge(legs artifact.Result, leg string, priors verdict.Priors, run string) (a verdict.Answer, id string, ok bool) {
	for _, a := range verdict.Compare(artifact.Quoted(legs.Pairs[leg]), priors) {
		return a, fmt.Sprintf("%s-%d", run, max(1, legs.Attempts[leg])), true // of one server
	}
	return a, "", false
}

// remembered is what a leg leaves to later ones. Shortened load scatters more.
func remembered(p plan.Plan, legs artifact.Result, leg, id string) (lines []verdict.Past) {
	if p.Quick {
		return nil
	}
	for _, pair := range verdict.Pairs(legs.Pairs[leg]) {
		if line := verdict.Remember(pair, id); len(line.Cells) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// WriteVerdicts writes Markdown: a sentence for each pair, then the cells that
// changed. What machines said stands in code spans.
func WriteVerdicts(w *strings.Builder, p plan.Plan, verdicts []Verdict) {
	if len(p.Pairs) == 0 {
		return
	}
	fmt.Fprint(w, "### Verdicts: compare with what it was\n\nEach server beside itself as it was published before, in the same minutes.\n\n")
	for _, pair := range p.Pairs {
		i := slices.IndexFunc(verdicts, func(v Verdict) bool { return v.Server == pair.Server })
		if i < 0 {
			fmt.Fprintf(w, "**%s** since `%.12s`: not measured: there are no records that count.\n\n", pair.Server, pair.Base)
			continue
		}
		v := verdicts[i]
		fmt.Fprintf(w, "**%s** since `%.12s`%s: %s%s.\n\n", v.Server, v.Base, v.level(), report.Headline(v.Answer), v.accepted())
		report.CellsMarkdown(w, v.Changed())
		v.WriteAcknowledged(w)
	}
}

// level says what a base is that is not simply what was published last.
func (v Verdict) level() string {
	if v.Creep {
		return " (creep: the level last released or accepted)"
	}
	return ""
}

// accepted is said behind a regression of which all is acknowledged.
func (v Verdict) accepted() string {
	if v.Answer.Verdict == verdict.Regressed && !v.Alarms() {
		return " (acknowledged)"
	}
	return ""
}

// Changed are the cells that regressed or improved.
func (v Verdict) Changed() []verdict.Cell {
	return slices.DeleteFunc(slices.Clone(v.Answer.Cells), func(c verdict.Cell) bool {
		return c.Verdict != verdict.Regressed && c.Verdict != verdict.Improved
	})
}
