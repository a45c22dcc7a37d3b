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

// FarthestPct is how far out a change is drawn, in per cent of base.
const FarthestPct = 100

const verdictWidth = 400 // a phone shows it as it is

// VerdictPicture draws the change of each cell with its interval, over its margin. It has no groups where no cell can be drawn.
func VerdictPicture(a verdict.Answer) (p svg.Picture, drawn bool) {
	groups := VerdictGroups(answer.Groups(a))
	if groups == nil {
		return p, false
	}
	class := "quiet"
	for _, g := range answer.Groups(a) {
		if slices.ContainsFunc(g.Cells, func(c verdict.Cell) bool { return c.Verdict == a.Verdict }) {
			class = g.Class
		}
	}
	says, rest := answer.Parts(a)
	return svg.Forest(verdictWidth, a.Server+", head against base", says, class, rest, " %", FarthestPct, groups), true
}

// VerdictGroups are the cells that can be drawn.
func VerdictGroups(of []answer.Group) (groups []svg.Group) {
	for _, g := range of {
		one := svg.Group{Title: g.Title, Class: g.Class}
		for _, c := range g.Cells {
			if change, ok := PictureOf(c, nil); ok {
				one.Changes = append(one.Changes, change)
			}
		}
		if len(one.Changes) > 0 {
			groups = append(groups, one)
		}
	}
	return groups
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

// PictureOf is a cell as a row, with its change in each round as a share of base. Worse is to the right. A cell in another unit
// than shares of base has no common axis with the others, and cannot be drawn.
func PictureOf(c verdict.Cell, rounds []float64) (svg.Change, bool) {
	r := answer.NewRow(c)
	sign := 100.
	low, high := c.Low, c.High
	if c.Metric.Better == "higher" {
		sign, low, high = -100, c.High, c.Low
	}
	of := svg.Change{
		Name: r.Metric, Note: r.Scenario, Figures: r.Base + " → " + r.Head, Text: strings.ReplaceAll(r.Change, "-", "−"),
		Low: sign * low, Mid: sign * c.Change, High: sign * high, Margin: 100 * c.Criterion.Margin,
	}
	for _, v := range rounds {
		of.Rounds = append(of.Rounds, sign*v)
	}
	return of, !c.Criterion.Absolute && c.Verdict != verdict.NotMeasured
}
