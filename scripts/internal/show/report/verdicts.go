package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
)

// VerdictFormats are the formats of Verdicts.
func VerdictFormats() []string { return []string{"text", "markdown", "svg"} }

// CheckVerdictFormat returns an error for an unknown format.
func CheckVerdictFormat(name string) error {
	if !slices.Contains(VerdictFormats(), name) {
		return fmt.Errorf("format %q: unknown; known are %s", name, strings.Join(VerdictFormats(), ", "))
	}
	return nil
}

// Verdicts writes answers.
type Verdicts struct {
	Width   int  // columns of the terminal
	Reasons bool // say of each discarded round why
}

// Write writes answers for people: for each server its headline, then the cells. As svg it is a picture.
func (o Verdicts) Write(out io.Writer, format string, answers []verdict.Answer) error {
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
			o.text(w, a)
		case "markdown":
			fmt.Fprintf(w, "**%s**: %s\n\n", a.Server, answer.Headline(a))
			if text := answer.LoadSentence(a); text != "" {
				fmt.Fprintf(w, "%s\n\n", text)
			}
			CellsMarkdown(w, a.Cells)
			RequestsMarkdown(w, a)
			OutcomesMarkdown(w, a)
			for _, s := range a.Discarded {
				fmt.Fprintf(w, "- not counted: %s\n", s)
			}
		}
	}
	_, err := io.WriteString(out, answer.Plain(w.String()))
	return err
}

func (o Verdicts) text(w *strings.Builder, a verdict.Answer) {
	headline := fitting(a.Server+" "+answer.Headline(a), o.Width-1)
	fmt.Fprintln(w, a.Server+" "+strings.TrimPrefix(headline, a.Server)) // two spaces, which a wrapped line would lose
	if text := answer.LoadSentence(a); text != "" {
		fmt.Fprintln(w, "  "+Wrap(text, o.Width-2))
	}
	if len(a.Cells) > 0 {
		fmt.Fprintf(w, "  base and head are means of %d rounds; false-alarm rate %.2g %% per server\n", a.Rounds, 100*a.Alpha)
		if slices.ContainsFunc(a.Cells, func(c verdict.Cell) bool { return c.Verdict == verdict.Inconclusive && answer.Probable(c) }) {
			fmt.Fprintln(w, "  "+Wrap("all cells and looks share that rate, so a 95 % interval beside 0 is not yet a verdict", o.Width-2))
		}
		fmt.Fprintln(w)
		rows := [][]string{{"scenario", "metric", "base", "head", "change", "95 % interval", "verdict"}}
		for _, c := range a.Cells {
			r := answer.NewRow(c)
			rows = append(rows, []string{r.Scenario, r.Metric, r.Base, r.Head, r.Change, r.Interval, r.Result})
		}
		o.columns(w, rows)
		o.requests(w, a)
		o.outcomes(w, a)
	}
	if n := len(a.Discarded); n > 0 {
		fmt.Fprintf(w, "\n  %d of %d rounds were disturbed and left out", n, n+a.Rounds)
		if !o.Reasons {
			fmt.Fprintln(w, "; -v says why")
			return
		}
		fmt.Fprintln(w, ":")
		for _, s := range a.Discarded {
			fmt.Fprintln(w, "  "+fitting(s, o.Width-2))
		}
	}
}

// fitting breaks the lines that are too long, and keeps all others.
func fitting(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if utf8.RuneCountInString(line) > width {
			lines[i] = Wrap(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

// columns writes a table. What of its last column has no room goes on below.
func (o Verdicts) columns(w *strings.Builder, rows [][]string) {
	last := len(rows[0]) - 1
	widths := make([]int, last)
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	begin := 2
	for _, width := range widths {
		begin += width + 2
	}
	for _, row := range rows {
		line := " "
		for i, width := range widths {
			line += fmt.Sprintf(" %-*s ", width, row[i])
		}
		more := strings.Split(Wrap(row[last], max(20, o.Width-begin)), "\n")
		fmt.Fprintln(w, line+" "+more[0])
		for _, text := range more[1:] {
			fmt.Fprintf(w, "%*s%s\n", begin, "", strings.TrimSpace(text))
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
