package report

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
)

// requests writes the table of requests, or nothing.
func (o Verdicts) requests(w *strings.Builder, a verdict.Answer) {
	rows, more := answer.RequestRows(a)
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w)
	texts := [][]string{{"request", "of the time", "metric", "base", "head", "change", "95 % interval", "verdict"}}
	for _, r := range rows {
		texts = append(texts, []string{r.Name, r.Share, r.Metric, r.Base, r.Head, r.Change, r.Interval, r.Result})
	}
	o.columns(w, texts)
	if text := answer.MoreRequests(more); text != "" {
		fmt.Fprintf(w, "  %s\n", text)
	}
}

// RequestsMarkdown writes the table of requests, or nothing.
func RequestsMarkdown(w *strings.Builder, a verdict.Answer) {
	rows, more := answer.RequestRows(a)
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(w, "| request | of the time | metric | base | head | change | 95 % interval | verdict |\n|---|--:|---|--:|--:|--:|---|---|\n")
	for i, r := range rows {
		if answer.Changed(a.Requests[i]) {
			r.Result = "**" + r.Result + "**"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", strings.ReplaceAll(r.Name, "|", `\|`), r.Share, r.Metric, r.Base, r.Head, r.Change, r.Interval, r.Result)
	}
	if text := answer.MoreRequests(more); text != "" {
		fmt.Fprintf(w, "\n%s\n", text)
	}
	fmt.Fprintln(w)
}
