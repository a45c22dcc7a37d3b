package report

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
)

// requestsText writes the table of requests for a terminal, or nothing.
func requestsText(w *strings.Builder, a verdict.Answer) {
	rows, more := answer.RequestRows(a)
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  request\tof the time\tmetric\tbase\thead\tchange\t95 % interval\tverdict")
	for _, r := range rows {
		fmt.Fprintf(tw, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Name, r.Share, r.Metric, r.Base, r.Head, r.Change, r.Interval, r.Result)
	}
	tw.Flush() // a Builder never fails
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
