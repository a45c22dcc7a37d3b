package report

import (
	"errors"
	"io"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/svg"
)

const (
	farthestPct  = 100 // how far out a change is drawn, in per cent of base
	verdictWidth = 400 // a phone shows it as it is
)

// VerdictPicture draws the change of each cell with its interval, over its margin. Cells in another unit than shares of base
// have no common axis with the others, so they are left out: the table has them. It has no groups where no cell is left.
func VerdictPicture(a verdict.Answer) (p svg.Picture, drawn bool) {
	var groups []svg.Group
	class := "quiet"
	for _, g := range answer.Groups(a) {
		of := svg.Group{Title: g.Title, Class: g.Class}
		for _, c := range g.Cells {
			if !c.Criterion.Absolute {
				of.Changes = append(of.Changes, change(c))
			}
			if c.Verdict == a.Verdict {
				class = g.Class
			}
		}
		if len(of.Changes) > 0 {
			groups = append(groups, of)
		}
	}
	if groups == nil {
		return p, false
	}
	said, rest, _ := strings.Cut(answer.Plain(answer.Headline(a)), ": ")
	return svg.Forest(verdictWidth, a.Server+", head against base", answer.Capital(said), class, rest, " %", farthestPct, groups), true
}

func verdictsSVG(w io.Writer, answers []verdict.Answer) error {
	var pictures []svg.Picture
	for _, a := range answers {
		if p, drawn := VerdictPicture(a); drawn {
			pictures = append(pictures, p)
		}
	}
	if pictures == nil {
		return InputError{errors.New("report: svg: no cell has a change; without -format the verdict says why")}
	}
	_, err := io.WriteString(w, svg.Stack(pictures...).Alone(svg.Auto))
	return err
}

// change is a cell as a row: worse is to the right.
func change(c verdict.Cell) svg.Change {
	r := answer.NewRow(c)
	values := []float64{100 * c.Low, 100 * c.Change, 100 * c.High}
	if c.Metric.Better == "higher" {
		for i := range values {
			values[i] = -values[i]
		}
		slices.Reverse(values)
	}
	return svg.Change{
		Name: r.Metric, Note: r.Scenario, Figures: r.Base + " → " + r.Head, Text: strings.Replace(r.Change, "-", "−", 1),
		Low: values[0], Mid: values[1], High: values[2], Margin: 100 * c.Criterion.Margin,
	}
}
