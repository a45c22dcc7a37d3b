package report

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/svg"
)

// subjects are what the deciding cells of a comparison are about.
var subjects = []string{"CPU", "latency", "throughput", "memory"}

// Known splits comparisons of releases: those of changes that public threads report, and those of a year.
func Known(steps []verdict.Step) (known, year []verdict.Step) {
	for _, s := range steps {
		if s.Known != "" {
			known = append(known, s)
		} else {
			year = append(year, s)
		}
	}
	return known, year
}

// Steps is a table in Markdown of comparisons of releases, as the page of releases has it. A cell is a change with its 95 %
// interval; one that changed is bold.
func Steps(steps []verdict.Step) string {
	column := func(string) string { return "" }
	if known, _ := Known(steps); known != nil {
		column = func(text string) string { return " " + text + " |" }
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| release | server |%s %s | verdict | minutes |\n|---|---|%s%s---|--:|\n", column("known"), strings.Join(subjects, " | "), strings.ReplaceAll(column("---"), " ", ""), strings.Repeat("--:|", len(subjects)))
	for i, s := range steps {
		a := verdict.Judge(s.Comparison)
		fmt.Fprintf(&b, "| %s %s to %s | %s |%s", s.Package, s.Base, s.Head, a.Server, column(s.Known))
		for _, subject := range subjects {
			c, ok := subjectCell(a, subject)
			if !ok {
				b.WriteString(" unknown |")
				continue
			}
			row := answer.NewRow(c)
			text := fmt.Sprintf("%s (%s)", row.Change, row.Interval)
			if changed(c.Verdict) {
				text = "**" + text + "**"
			}
			fmt.Fprintf(&b, " %s |", text)
		}
		says, again := string(a.Verdict), ""
		if i := slices.IndexFunc(a.Cells, func(c verdict.Cell) bool { return changed(c.Verdict) && c.Verdict == a.Verdict }); i >= 0 {
			says += fmt.Sprintf(": %s %s %s", a.Cells[i].Scenario, a.Cells[i].Metric.Label, answer.Change(a.Cells[i]))
		}
		if slices.ContainsFunc(steps[:i], s.Repeats) {
			again = ", again"
		}
		fmt.Fprintf(&b, " %s%s | %.1f |\n", answer.Plain(says), again, s.Minutes)
	}
	return b.String()
}

func changed(v verdict.Verdict) bool { return v == verdict.Regressed || v == verdict.Improved }

// subjectCell is the cell that decides on a subject.
func subjectCell(a verdict.Answer, subject string) (verdict.Cell, bool) {
	i := slices.IndexFunc(a.Cells, func(c verdict.Cell) bool { return c.Criterion.Decides == subject && c.Verdict != verdict.NotMeasured })
	if i < 0 {
		return verdict.Cell{}, false
	}
	return a.Cells[i], true
}

// Year says in a sentence how many comparisons a year of releases took, and how many changes a second comparison found again.
func Year(steps []verdict.Step) string {
	minutes, events, repeated, found := 0., 0, 0, 0
	var first []verdict.Answer
	for i, s := range steps {
		minutes += s.Minutes
		a := verdict.Judge(s.Comparison)
		first = append(first, a)
		before := slices.IndexFunc(steps[:i], s.Repeats)
		switch {
		case before < 0 && changed(a.Verdict):
			events++
		case before >= 0:
			repeated++
			if sameCell(first[before], a) {
				found++
			}
		}
	}
	return fmt.Sprintf("Comparisons: %d, and %.1f hours with those that were repeated. Releases that differ from the first of their package: %d. Compared again: %d. Largest change found again: %d.",
		len(steps)-repeated, minutes/60, events, repeated, found)
}

// sameCell reports whether a second answer has the largest change of the first.
func sameCell(first, second verdict.Answer) bool {
	i := slices.IndexFunc(first.Cells, func(c verdict.Cell) bool { return c.Verdict == first.Verdict })
	if i < 0 {
		return first.Verdict == second.Verdict
	}
	of := first.Cells[i]
	return slices.ContainsFunc(second.Cells, func(c verdict.Cell) bool {
		return c.Same(of) && c.Verdict == of.Verdict
	})
}

// YearPicture draws how a year of releases moved each package. A point is a release, compared with the first of its row.
func YearPicture(steps []verdict.Step) (p svg.Picture, drawn bool) {
	var rows []svg.SparkRow
	for i, s := range steps {
		if slices.ContainsFunc(steps[:i], s.Repeats) {
			continue
		}
		a := verdict.Judge(s.Comparison)
		language, _, _ := strings.Cut(a.Server, "-")
		if i == 0 || steps[i-1].Package != s.Package {
			row := svg.SparkRow{Name: s.Package, Hue: svg.Hue(language)}
			for range subjects {
				row.Sparks = append(row.Sparks, svg.Spark{Points: []svg.Ratio{{Low: 1, Mid: 1, High: 1, Class: "quiet"}}})
			}
			rows = append(rows, row)
		}
		row := &rows[len(rows)-1]
		row.Note = fmt.Sprintf("%s to %s, in %s", s.Base, s.Head, a.Server)
		for k, subject := range subjects {
			c, ok := subjectCell(a, subject)
			if !ok {
				row.Sparks[k].Text, row.Sparks[k].Class = "unknown", "quiet"
				continue
			}
			class := "quiet"
			switch c.Verdict {
			case verdict.Regressed:
				class = "worse"
			case verdict.Improved:
				class = "better"
			}
			spark := &row.Sparks[k]
			spark.Points = append(spark.Points, svg.Ratio{Low: 1 + c.Low, Mid: 1 + c.Change, High: 1 + c.High, Class: class})
			spark.Text, spark.Class = answer.Change(c), class
		}
	}
	return svg.Sparks("A year of releases: the change of each package since its first release", subjects, rows), len(rows) > 0
}
