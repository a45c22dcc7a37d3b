package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// writeClaims writes what others measured of such servers, each claim beside our figure, as Markdown.
func writeClaims(out io.Writer, records []record.Record) error {
	checked := rank.CheckClaims(records)
	if len(checked) == 0 {
		return InputError{errors.New("report: nobody's claims are listed for workload " + rank.WorkloadOf(records).Name)}
	}
	w := bufio.NewWriter(out)
	var of *workload.Source
	for _, c := range checked {
		if c.Source != of {
			of = c.Source
			sourceOfClaims(w, of)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", inTable.Replace(c.Text), inTable.Replace(figureOfClaim(c, rank.WorkloadOf(records))), claimedRatio(c.Claim), inTable.Replace(marked(ourRatio(c), c.Warning)), c.Word)
	}
	fmt.Fprintf(w, "\n%s\n\n%s\n", rank.ClaimRule, "Our ratio is that of the geometric means over the rounds. Its interval is the one that decides ties of the ranks. "+
		inTable.Replace(mark)+" is a warning of a record.")
	return w.Flush()
}

// sourceOfClaims begins the table of a source.
func sourceOfClaims(w *bufio.Writer, s *workload.Source) {
	title := s.Title
	if s.URL != "" {
		title = fmt.Sprintf("[%s](%s)", s.Title, s.URL)
	}
	fmt.Fprintf(w, "\n**%s**: %s.\n", title, s.Load)
	if s.Remark != "" {
		fmt.Fprintf(w, "%s\n", s.Remark)
	}
	fmt.Fprint(w, "\n| claim | our figure | claimed | ours | |\n|---|---|--:|--:|---|\n")
}

// figureOfClaim names the figure that we compare, and the servers.
func figureOfClaim(c rank.CheckedClaim, w workload.Workload) string {
	m, _ := record.FindIn(w.Name, c.Metric) // a test checks that it is there
	figure := m.Label + " in " + c.Scenario + ": " + c.Of
	if c.Than != "" {
		figure += " / " + c.Than
	}
	return figure
}

// claimedRatio is what the source says.
func claimedRatio(c workload.Claim) string {
	switch {
	case c.Than == "":
		return "above 0"
	case c.Low == 1 && c.High == 1:
		return "the same"
	case c.Low != c.High:
		return ratioText(c.Low) + " to " + ratioText(c.High)
	}
	return ratioText(c.Low)
}

// ourRatio is our figure and its interval.
func ourRatio(c rank.CheckedClaim) string {
	switch {
	case math.IsNaN(c.Ratio):
		return rank.Unknown
	case math.IsInf(c.High, 1):
		return ratioText(c.Ratio) + " (one round)"
	}
	return fmt.Sprintf("%s (%s to %s)", ratioText(c.Ratio), ratioText(c.Low), ratioText(c.High))
}

// ratioText has three digits at least: 0.946, 1.03, 13.48.
func ratioText(v float64) string {
	if v < 1 {
		return fmt.Sprintf("%.3f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
