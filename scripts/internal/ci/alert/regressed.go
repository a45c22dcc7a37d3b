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
	base, head, attempt := v.Base, v.Flag.Head, v.Flag.Run[strings.LastIndex(v.Flag.Run, "-")+1:]
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s. A second, independent pair said so too.\n\n", v.Server, report.Headline(v.Answer))
	report.CellsMarkdown(&b, v.Regressed())
	v.WriteAcknowledged(&b)
	if v.Creep {
		fmt.Fprintf(&b, "This is creep: `%.12s` is the level that was last released or accepted, and no step since then needs to have been large enough to be seen alone.\n\n", base)
	}
	leg := plan.PairLeg(v.Server)
	fmt.Fprintf(&b, "- between [`%.12s` and `%.12s`](%s/compare/%s...%s), both loaded in the same minutes ([run](%s)); if several commits changed `%s`, the job `load %s` says which it was\n",
		base, head, run.Repository, base, head, run.URL(), v.Server.Dir(), leg)
	fmt.Fprintf(&b, "- replay the two pairs, of which both have to say so: `gh run download %s -n raw-%s-%s -D pair-%s && scripts/bench compare pair-%[4]s/run.jsonl; scripts/bench compare pair-%[4]s/%[5]s-confirm/run.jsonl`\n", run.ID, leg, attempt, v.Server.Dotted(), v.Flag.Run)
	fmt.Fprintf(&b, "- measure again: `scripts/bench pair -base %.12s -head %.12s -confirm %s`\n", base, head, v.Server)
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
// not acknowledged; "" when it says nothing of that.
func Calm(v collect.Verdict, run github.Run) (kind, text string) {
	said := fmt.Sprintf("`%.12s` against `%.12s` ([run](%s)): %s.", v.Flag.Head, v.Base, run.URL(), report.Headline(v.Answer))
	switch {
	case v.Answer.Verdict == verdict.Regressed && !v.Alarms():
		var b strings.Builder
		v.WriteAcknowledged(&b)
		return "acknowledged", said + " All of it is acknowledged:\n\n" + b.String()
	case v.Answer.Verdict != verdict.Unchanged && v.Answer.Verdict != verdict.Improved:
		return "", ""
	case v.Creep:
		return "level", said + fmt.Sprintf(" `%.12s` is the level that was last released or accepted. If that settles it, close this issue.\n", v.Base)
	}
	return "step", said + fmt.Sprintf(" That is what changed since `%.12s` alone, and takes back nothing that came before, unless it says improved. If that settles it, close this issue.\n", v.Base)
}
