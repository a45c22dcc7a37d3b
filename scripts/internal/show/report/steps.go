package report

import (
	"cmp"
	"fmt"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
)

// Steps is a table in Markdown of comparisons of releases, as the page of releases has it. A cell is a change with its 95 %
// interval; one that changed is bold.
func Steps(steps []verdict.Step) string {
	subjects := []string{"CPU", "latency", "throughput", "memory"}
	var b strings.Builder
	fmt.Fprintf(&b, "| release | server | known | %s | verdict | minutes |\n|---|---|---|%s---|--:|\n", strings.Join(subjects, " | "), strings.Repeat("--:|", len(subjects)))
	for _, s := range steps {
		a := verdict.Judge(s.Comparison)
		fmt.Fprintf(&b, "| %s %s to %s | %s | %s |", s.Package, s.Base, s.Head, a.Server, cmp.Or(s.Known, "-"))
		for _, subject := range subjects {
			fmt.Fprintf(&b, " %s |", subjectChange(a, subject))
		}
		fmt.Fprintf(&b, " %s | %.1f |\n", answer.Plain(string(a.Verdict)), s.Minutes)
	}
	return b.String()
}

// subjectChange is the change of the cell that decides on a subject.
func subjectChange(a verdict.Answer, subject string) string {
	for _, c := range a.Cells {
		if c.Criterion.Decides != subject {
			continue
		}
		row := answer.NewRow(c)
		text := fmt.Sprintf("%s (%s)", row.Change, row.Interval)
		if c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved {
			return "**" + text + "**"
		}
		return text
	}
	return "unknown"
}
