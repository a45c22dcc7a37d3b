package report

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
)

// outcomes writes the table of a script's checks and thresholds, or nothing.
func (o Verdicts) outcomes(w *strings.Builder, a verdict.Answer) {
	rows, more := answer.OutcomeRows(a)
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w)
	texts := [][]string{{"the script's own", "base", "head"}}
	for _, r := range rows {
		texts = append(texts, []string{r.Name, r.Base, r.Head})
	}
	o.columns(w, texts)
	if text := answer.MoreOutcomes(more); text != "" {
		fmt.Fprintf(w, "  %s\n", text)
	}
}

// OutcomesMarkdown writes the table of a script's checks and thresholds, or nothing.
func OutcomesMarkdown(w *strings.Builder, a verdict.Answer) {
	rows, more := answer.OutcomeRows(a)
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(w, "| the script's own | base | head |\n|---|---|---|\n")
	for _, r := range rows {
		if r.HeadAlone {
			r.Head = "**" + r.Head + "**"
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", strings.ReplaceAll(r.Name, "|", `\|`), r.Base, r.Head)
	}
	if text := answer.MoreOutcomes(more); text != "" {
		fmt.Fprintf(w, "\n%s\n", text)
	}
	fmt.Fprintln(w)
}
