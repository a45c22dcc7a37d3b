package alert

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/report"
)

// Regressed makes the issue about a confirmed regression: the changes, their intervals, the commits, and the
// next steps.
func Regressed(v branch.Verdict, run github.Run) Issue {
	base, head, attempt := v.Base, v.Event.Head, v.Event.Run[strings.LastIndex(v.Event.Run, "-")+1:]
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s. A second, independent comparison confirms it.\n\n", v.Server, answer.Headline(v.Answer))
	report.CellsMarkdown(&b, v.Regressed())
	v.WriteAccepted(&b)
	if v.Gradual {
		fmt.Fprintf(&b, "This regression is gradual: it is the sum of all changes since `%.12s`. No single commit since then need have a visible effect.\n\n", base)
	}
	job := plan.ComparisonRun(v.Server)
	fmt.Fprintf(&b, "- between [`%.12s` and `%.12s`](%s/compare/%s...%s), both loaded in the same minutes ([run](%s)); if several commits changed `%s`, the job `load %s` names the one\n",
		base, head, run.Repository, base, head, run.URL(), v.Server.Dir(), job)
	fmt.Fprintf(&b, "- replay the two comparisons, which must both find it: `gh run download %s -n raw-%s-%s -D comparison-%s && scripts/bench replay comparison-%[4]s/run.jsonl; scripts/bench replay comparison-%[4]s/%[5]s-confirm/run.jsonl`\n", run.ID, job, attempt, v.Server.Dotted(), v.Event.Run)
	fmt.Fprintf(&b, "- measure again: `scripts/bench compare -base %.12s -head %.12s -confirm %s`\n", base, head, v.Server)
	scenario, metric := "*", "*"
	if open := v.Open(); len(open) > 0 {
		scenario, metric = open[0].Scenario, open[0].Metric.Name
	}
	fmt.Fprintf(&b, "- to accept it, commit a file `%s/NAME.json` to main. `since` names the commit that made it worse, `*` matches any text, and `expires` may be a day:\n\n"+
		"  ```json\n  {\"workload\": %q, \"server\": %q, \"scenario\": %q, \"metric\": %q,\n   \"since\": %q,\n   \"reason\": \"\", \"by\": \"\", \"expires\": null}\n  ```\n\n",
		accept.Dir, v.Server.Workload, v.Server.Name, scenario, metric, head)
	b.WriteString("The robot does not close this issue. A later run without this regression adds a note.\n")
	return Issue{Key: v.Server.Dotted(), About: base[:12] + ".." + head[:12], Title: v.Server.String() + " regressed on main", Body: b.String()}
}

// Calm returns the note, and its kind, for a run without an open regression. Both are "" for an inconclusive
// run, and for one that excludes large changes only.
func Calm(v branch.Verdict, run github.Run) (kind, text string) {
	said := fmt.Sprintf("`%.12s` against `%.12s` ([run](%s)): %s.", v.Event.Head, v.Base, run.URL(), answer.Headline(v.Answer))
	switch {
	case v.Answer.Verdict == verdict.Regressed && !v.Alerts():
		var b strings.Builder
		v.WriteAccepted(&b)
		return "accepted", said + " All of it is accepted:\n\n" + b.String()
	case v.Answer.Verdict != verdict.Unchanged && v.Answer.Verdict != verdict.Improved:
		return "", ""
	case v.Gradual:
		return "level", said + fmt.Sprintf(" This covers all changes since `%.12s`. If that settles it, close this issue.\n", v.Base)
	}
	return "step", said + fmt.Sprintf(" This covers only the changes since `%.12s`. An older regression stands, unless this says improved. If that settles it, close this issue.\n", v.Base)
}
