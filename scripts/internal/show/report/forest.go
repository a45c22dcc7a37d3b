package report

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/report/chart"
)

// farthestPct is how far out a share is drawn, in per cent of base.
const farthestPct = 100

// changesPNG draws the change of each cell with its interval, over its margin. Cells in another unit than shares of
// base have a chart of their own.
func changesPNG(w io.Writer, answers []verdict.Answer) error {
	shares := chart.Forest{Label: "change from base to head, %", Most: farthestPct, Size: 12}
	amounts := chart.Forest{Most: math.Inf(1), Size: 12}
	var names, print []string
	for _, a := range answers {
		names = append(names, a.Server)
		text := strings.TrimSpace(a.Server + ": " + answer.Headline(a) + ". " + answer.LoadSentence(a))
		if n := len(a.Discarded); n > 0 {
			text += fmt.Sprintf(" %d rounds count; %d were discarded.", a.Rounds, n)
		}
		print = append(print, strings.Split(answer.Plain(wrap(text)), "\n")...)
		for _, c := range a.Cells {
			of, by := &shares, 100.0
			if c.Criterion.Absolute {
				of, by = &amounts, 1
				amounts.Label = "change from base to head, " + c.Metric.Unit
			}
			if c.Verdict != verdict.NotMeasured {
				of.Changes = append(of.Changes, change(c, by, len(answers) > 1))
			}
		}
	}
	var charts []chart.Chart
	rows := 0
	for _, of := range []chart.Forest{shares, amounts} {
		if len(of.Changes) > 0 {
			charts, rows = append(charts, of), max(rows, len(of.Changes))
		}
	}
	if rows == 0 {
		return InputError{errors.New("report: png: no cell has a change; without -format png the verdict says why")}
	}
	print = append(print, "A dot is the change of head against base, its line the 95 % interval, and the band "+
		"the margin. An open line goes on outside.")
	height := 190 + 22*float64(rows) + 14*float64(len(print))
	return chart.PNG(w, 900, height, strings.Join(names, ", ")+": head against base", print, charts...)
}

// change is a cell as the row of a chart. Servers are named where there are several.
func change(c verdict.Cell, by float64, several bool) chart.Change {
	name := c.Scenario + " " + c.Metric.Label
	if several {
		name = c.Server + " " + name
	}
	style, result := chart.Unclear, string(c.Verdict)
	switch c.Verdict {
	case verdict.Regressed:
		style = chart.Worse
	case verdict.Improved:
		style = chart.Better
	case verdict.Unchanged:
		style, result = chart.Same, "no change"
	case verdict.NoLargeChange:
		style = chart.Same
	}
	switch c.Leaning() {
	case "worse":
		style, result = chart.LeaningWorse, "leaning worse"
	case "better":
		style, result = chart.LeaningBetter, "leaning better"
	}
	return chart.Change{
		Name: name, Label: answer.Change(c) + ", " + result, Style: style,
		Low: by * c.Low, Mid: by * c.Change, High: by * c.High, Margin: by * c.Criterion.Margin,
	}
}
