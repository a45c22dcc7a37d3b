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
	"text":     func(w io.Writer, t []prove.Trial) error { return prove.WriteText(w, prove.Tables(t)) },
	"markdown": func(w io.Writer, t []prove.Trial) error { return prove.WriteMarkdown(w, prove.Tables(t)) },
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

// trialsPicture shows how the comparisons of each kind ended.
func trialsPicture(trials []prove.Trial) (svg.Picture, error) {
	shares := prove.Shares(trials)
	if len(shares) == 0 {
		return svg.Picture{}, errors.New("prove: svg: no trials that were loaded; run scripts/bench prove first")
	}
	keys := []svg.Key{{Class: "right", Means: "no change, or found"}, {Class: "sized", Means: "no change, up to two margins"}, {Class: "missed", Means: "no verdict, or not found"}, {Class: "worse", Means: "wrong"}}
	var rows []svg.Share
	for _, s := range shares {
		parts := []svg.Part{{Class: "right", Count: s.Right}, {Class: "sized", Count: s.Sized}, {Class: "missed", Count: s.Missed}, {Class: "worse", Count: s.Wrong}}
		rows = append(rows, svg.Share{Name: s.Name, Parts: parts, Text: fmt.Sprintf("%d of %d", s.Right, s.Right+s.Sized+s.Missed+s.Wrong)})
	}
	return svg.Shares(640, "How comparisons with a known truth ended", keys, rows), nil
}
