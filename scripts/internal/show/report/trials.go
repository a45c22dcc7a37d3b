package report

import (
	"errors"
	"fmt"
	"io"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/show/report/chart"
)

// trialForms are the formats of trials.
var trialForms = map[string]func(io.Writer, []prove.Trial) error{
	"text":     func(w io.Writer, t []prove.Trial) error { return prove.WriteText(w, prove.Tables(t, prove.Seed)) },
	"markdown": func(w io.Writer, t []prove.Trial) error { return prove.WriteMarkdown(w, prove.Tables(t, prove.Seed)) },
	"png":      trialsPNG,
}

// TrialFormats are those of WriteTrials.
func TrialFormats() []string { return []string{"text", "markdown", "png"} }

// WriteTrials writes trials in one of TrialFormats: all tables, or a picture of them.
func WriteTrials(w io.Writer, format string, trials []prove.Trial) error {
	return trialForms[format](w, trials)
}

func trialsPNG(w io.Writer, trials []prove.Trial) error {
	p := prove.Draw(trials)
	if len(p.Called) == 0 {
		return errors.New("prove: png: no trials yet; run scripts/bench prove first")
	}
	family := map[string]string{} // a hue for each quantity
	for quantity, cell := range prove.Cells {
		family[cell] = quantity
	}
	style := chart.Styles(family)
	called := chart.Dots{Title: "Verdicts in trials with a known truth", Label: "% of comparisons, with 95 % interval", Size: 12}
	for _, c := range p.Called {
		of := chart.Ink
		if c.Cell != "" {
			of = style[c.Cell]
		}
		called.Dots = append(called.Dots, chart.Dot{
			Name: c.Name, Label: fmt.Sprintf("%d of %d", c.K, c.N), Style: of,
			Low: 100 * c.Low, Mid: 100 * float64(c.K) / float64(c.N), High: 100 * c.High,
		})
	}
	charts := []chart.Chart{called}
	print := []string{"Left: replayed from trials. Black rows should be near 0, coloured rows near 100. Intervals are Clopper and Pearson's."}
	if len(p.Curves) > 0 {
		l := chart.Lines{Title: "How large a change is found", XLabel: "worse by %", YLabel: "found in % of comparisons", XTicks: map[float64]string{}, YMax: 100, Size: 12}
		for _, size := range prove.Sizes {
			l.XTicks[size] = fmt.Sprint(size)
		}
		for _, c := range p.Curves {
			s := chart.Series{Name: c.Label, Style: style[c.Cell]}
			for i, size := range prove.Sizes {
				s.X, s.Y = append(s.X, size), append(s.Y, 100*c.Found[i])
			}
			l.Series = append(l.Series, s)
		}
		charts = append(charts, l)
		print = append(print, "Right: "+p.From+"; head has an injected regression in the cell of that colour.")
	}
	return chart.PNG(w, 1040, 460, "How often verdicts were right", print, charts...)
}

// PatchFormats are those of WritePatchTrials.
func PatchFormats() []string { return []string{"text", "markdown"} }

// WritePatchTrials writes the tables of trials of patches in one of PatchFormats.
func WritePatchTrials(w io.Writer, format string, trials []prove.PatchTrial) error {
	if format == "markdown" {
		return prove.WriteMarkdown(w, prove.PatchTables(trials))
	}
	return prove.WriteText(w, prove.PatchTables(trials))
}
