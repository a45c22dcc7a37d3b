package report

import (
	"errors"
	"io"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/svg"
)

// farthestPct is how far out a change is drawn, in per cent of base.
const farthestPct = 100

// verdictsSVG draws the change of each cell with its interval, over its margin. Cells in another unit than shares of base
// have no common axis with the others, so they are left out: the table has them.
func verdictsSVG(w io.Writer, answers []verdict.Answer) error {
	var pictures []svg.Picture
	for _, a := range answers {
		groups := answer.Groups(a)
		if len(groups) == 0 {
			continue
		}
		pictures = append(pictures, svg.Forest(a.Server, answer.Headline(a)+".", " %", farthestPct, changes(groups)))
	}
	if pictures == nil {
		return InputError{errors.New("report: svg: no cell has a change; without -format the verdict says why")}
	}
	_, err := io.WriteString(w, svg.Stack(pictures...).Alone(svg.Auto))
	return err
}

// changes are the rows of groups, as a picture shows them.
func changes(groups []answer.Group) (all []svg.Group) {
	for _, g := range groups {
		drawn := svg.Group{Title: g.Title, Class: g.Class}
		for _, c := range g.Cells {
			if !c.Criterion.Absolute {
				drawn.Changes = append(drawn.Changes, change(c, g.Class))
			}
		}
		if len(drawn.Changes) > 0 {
			all = append(all, drawn)
		}
	}
	return all
}

// change is a cell as a row: worse is to the right.
func change(c verdict.Cell, class string) svg.Change {
	r := answer.NewRow(c)
	by, low, high := 100.0, c.Low, c.High
	if c.Metric.Better == "higher" {
		by, low, high = -100, c.High, c.Low
	}
	note := c.Scenario
	if c.Criterion.Decides != "" {
		note += " · decides"
	}
	return svg.Change{
		Name: r.Metric, Note: note, Figures: r.Base + " → " + r.Head, Text: strings.Replace(r.Change, "-", "−", 1), Interval: strings.ReplaceAll(r.Interval, "-", "−"),
		Result: r.Result, Class: class, Low: by * low, Mid: by * c.Change, High: by * high, Margin: 100 * c.Criterion.Margin,
	}
}
