package report

import (
	"errors"
	"fmt"
	"io"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/show/svg"
)

// trialForms are the formats of trials.
var trialForms = map[string]func(io.Writer, []prove.Trial) error{
	"text":     func(w io.Writer, t []prove.Trial) error { return prove.WriteText(w, prove.Tables(t, prove.Seed)) },
	"markdown": func(w io.Writer, t []prove.Trial) error { return prove.WriteMarkdown(w, prove.Tables(t, prove.Seed)) },
	"svg": func(w io.Writer, t []prove.Trial) error {
		p, err := trialsPicture(t)
		if err == nil {
			_, err = io.WriteString(w, p.Alone(svg.Auto))
		}
		return err
	},
}

// TrialFormats are those of WriteTrials.
func TrialFormats() []string { return []string{"text", "markdown", "svg"} }

// WriteTrials writes trials in one of TrialFormats: all tables, or a picture of them.
func WriteTrials(w io.Writer, format string, trials []prove.Trial) error {
	return trialForms[format](w, trials)
}

// curveClasses are the colours of the curves. They are no languages here, so any of these will do.
var curveClasses = []string{"go", "rust", "bun", "node"}

// trialsPicture shows in which share of comparisons a regression is found, by its size.
func trialsPicture(trials []prove.Trial) (svg.Picture, error) {
	p := prove.DrawCurves(trials)
	if len(p.All) == 0 {
		return svg.Picture{}, errors.New("prove: svg: no trials without a change yet; run scripts/bench prove first")
	}
	var curves []svg.Curve
	for i, c := range p.All {
		one := svg.Curve{Name: c.Label, Class: curveClasses[i%len(curveClasses)]}
		for _, share := range c.Found {
			one.Y = append(one.Y, 100*share)
		}
		curves = append(curves, one)
	}
	label := fmt.Sprintf("Share of regressions that are found, by their size: %s", p.From)
	return svg.Curves(400, 300, label, "size of the regression", prove.Sizes, curves), nil
}
