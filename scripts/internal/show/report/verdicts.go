package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
)

// VerdictFormats are the formats of WriteVerdicts.
func VerdictFormats() []string { return []string{"text", "markdown", "svg"} }

// CheckVerdictFormat returns an error for an unknown format.
func CheckVerdictFormat(name string) error {
	if !slices.Contains(VerdictFormats(), name) {
		return fmt.Errorf("format %q: unknown; known are %s", name, strings.Join(VerdictFormats(), ", "))
	}
	return nil
}

// WriteVerdicts writes answers for people: for each server its headline, then the cells. As svg it is a picture.
func WriteVerdicts(out io.Writer, format string, answers []verdict.Answer) error {
	if err := CheckVerdictFormat(format); err != nil {
		return err
	}
	if format == "svg" {
		return verdictsSVG(out, answers)
	}
	w := new(strings.Builder)
	for i, a := range answers {
		if i > 0 {
			fmt.Fprintln(w)
		}
		switch format {
		case "text":
			verdictText(w, a)
		case "markdown":
			fmt.Fprintf(w, "**%s**: %s\n\n", a.Server, answer.Headline(a))
			if text := answer.LoadSentence(a); text != "" {
				fmt.Fprintf(w, "%s\n\n", text)
			}
			CellsMarkdown(w, a.Cells)
			RequestsMarkdown(w, a)
			for _, s := range a.Discarded {
				fmt.Fprintf(w, "- not counted: %s\n", s)
			}
		}
	}
	_, err := io.WriteString(out, answer.Plain(w.String()))
	return err
}

func verdictText(w *strings.Builder, a verdict.Answer) {
	fmt.Fprintf(w, "%s  %s\n", a.Server, answer.Headline(a))
	if text := answer.LoadSentence(a); text != "" {
		fmt.Fprintf(w, "%*s  %s\n", len(a.Server), "", text)
	}
	if len(a.Cells) > 0 {
		fmt.Fprintf(w, "%*s  base and head are means of %d rounds; false-alarm rate %.2g %% per server\n", len(a.Server), "", a.Rounds, 100*a.Alpha)
		if slices.ContainsFunc(a.Cells, func(c verdict.Cell) bool { return c.Verdict == verdict.Inconclusive && answer.Probable(c) }) {
			fmt.Fprintf(w, "%*s  all cells and looks share that rate, so a 95 %% interval beside 0 is not yet a verdict\n", len(a.Server), "")
		}
		fmt.Fprintln(w)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "  scenario\tmetric\tbase\thead\tchange\t95 % interval\tverdict")
		for _, c := range a.Cells {
			r := answer.NewRow(c)
			fmt.Fprintf(tw, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Scenario, r.Metric, r.Base, r.Head, r.Change, r.Interval, r.Result)
		}
		tw.Flush() // a Builder never fails
		requestsText(w, a)
	}
	if len(a.Discarded) > 0 {
		fmt.Fprintf(w, "\n  discarded rounds; others took their place where there was time:\n")
		for _, s := range a.Discarded {
			fmt.Fprintf(w, "  %s\n", s)
		}
	}
}

// CellsMarkdown writes a table of cells, or nothing.
func CellsMarkdown(w *strings.Builder, cells []verdict.Cell) {
	if len(cells) == 0 {
		return
	}
	fmt.Fprint(w, "| scenario | metric | base | head | change | 95 % interval | verdict |\n|---|---|--:|--:|--:|---|---|\n")
	for _, c := range cells {
		r := answer.NewRow(c)
		if c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved {
			r.Result = "**" + r.Result + "**"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", r.Scenario, r.Metric, r.Base, r.Head, r.Change, r.Interval, r.Result)
	}
	fmt.Fprintln(w)
}
