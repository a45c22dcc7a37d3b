package alert

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/ci/collect"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/report"
)

// Regressed is the issue about a confirmed regression: what, how sure, between
// which commits, and what may be done about it.
func Regressed(v collect.Verdict, run github.Run) Issue {
	base, head, attempt := v.Base, v.Event.Head, v.Event.Run[strings.LastIndex(v.Event.Run, "-")+1:]
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s. A second, independent comparison said so too.\n\n", v.Server, report.Headline(v.Answer))
	report.CellsMarkdown(&b, v.Regressed())
	v.WriteAccepted(&b)
	if v.Gradual {
		fmt.Fprintf(&b, "This is gradual: `%.12s` is the level that was last released or accepted, and no step since then needs to have been large enough to be seen alone.\n\n", base)
	}
	trendRun := plan.ComparisonRun(v.Server)
	fmt.Fprintf(&b, "- between [`%.12s` and `%.12s`](%s/compare/%s...%s), both loaded in the same minutes ([run](%s)); if several commits changed `%s`, the job `load %s` says which it was\n",
		base, head, run.Repository, base, head, run.URL(), v.Server.Dir(), trendRun)
	fmt.Fprintf(&b, "- replay the two comparisons, of which both have to say so: `gh run download %s -n raw-%s-%s -D comparison-%s && scripts/bench replay comparison-%[4]s/run.jsonl; scripts/bench replay comparison-%[4]s/%[5]s-confirm/run.jsonl`\n", run.ID, trendRun, attempt, v.Server.Dotted(), v.Event.Run)
	fmt.Fprintf(&b, "- measure again: `scripts/bench compare -base %.12s -head %.12s -confirm %s`\n", base, head, v.Server)
	scenario, metric := "*", "*"
	if open := v.Open(); len(open) > 0 {
		scenario, metric = open[0].Scenario, open[0].Metric.Name
	}
	fmt.Fprintf(&b, "- to accept it, commit a file `%s/NAME.json` to main, with the commit that made it worse in `since`; `*` fits any text, and `expires` may be a day:\n\n"+
		"  ```json\n  {\"workload\": %q, \"server\": %q, \"scenario\": %q, \"metric\": %q,\n   \"since\": %q,\n   \"reason\": \"\", \"by\": \"\", \"expires\": null}\n  ```\n\n",
		accept.Dir, v.Server.Workload, v.Server.Name, scenario, metric, head)
	b.WriteString("This issue is not closed by a robot: a later run in which nothing of this regressed adds a note.\n")
	return Issue{Key: v.Server.Dotted(), About: base[:12] + ".." + head[:12], Title: v.Server.String() + " regressed on main", Body: b.String()}
}

// Calm is the note, and its kind, of a run in which nothing is regressed that is
// not accepted; "" when it says nothing of that.
func Calm(v collect.Verdict, run github.Run) (kind, text string) {
	said := fmt.Sprintf("`%.12s` against `%.12s` ([run](%s)): %s.", v.Event.Head, v.Base, run.URL(), report.Headline(v.Answer))
	switch {
	case v.Answer.Verdict == verdict.Regressed && !v.Alerts():
		var b strings.Builder
		v.WriteAccepted(&b)
		return "accepted", said + " All of it is accepted:\n\n" + b.String()
	case v.Answer.Verdict != verdict.Unchanged && v.Answer.Verdict != verdict.Improved:
		return "", ""
	case v.Gradual:
		return "level", said + fmt.Sprintf(" `%.12s` is the level that was last released or accepted. If that settles it, close this issue.\n", v.Base)
	}
	return "step", said + fmt.Sprintf(" That is what changed since `%.12s` alone, and takes back nothing that came before, unless it says improved. If that settles it, close this issue.\n", v.Base)
}
