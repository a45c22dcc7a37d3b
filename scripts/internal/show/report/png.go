package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/report/chart"
)

// writePNG draws the two rankings as one picture: what a stream costs, and what
// the fullest machine serves. Without both it draws the one there is.
func writePNG(w io.Writer, records []record.Record) error {
	styles := styles(records)
	var charts []chart.Chart
	var ties, left []string
	for _, of := range []func([]record.Record) (table, rank.Ranking){costRanking, throughputRanking} {
		t, r := of(records)
		if !r.Is() {
			continue
		}
		charts = append(charts, dots(t, r, styles))
		if r.Rounds > 1 {
			ties = append(ties, fmt.Sprintf("%.1f %% in %s", r.ApartPct, r.Scenario))
		}
		for _, s := range r.Left {
			left = append(left, s.Target+" in "+r.Scenario)
		}
	}
	if len(charts) == 0 {
		return InputError{errors.New("report: png: nothing is ranked; want two servers or more, loaded in the same minutes")}
	}
	r := records[0]
	print := []string{spreadMeans(rounds(records))}
	if ties != nil {
		print = append(print, "Servers are tied, and the rank is a range, when less apart than "+strings.Join(ties, " and ")+".")
	}
	if left != nil {
		print = append(print, "No rank, since streams failed or rounds are missing: "+strings.Join(left, ", ")+".")
	}
	if rank.Doubtful(records) {
		print = append(print, mark+" has records that are warned or invalid.")
	}
	if r.Run.Quick {
		print = append(print, shortened)
	}
	print = append(print, fmt.Sprintf("Fairstream, run %s; %s, cores %s among servers, k6 and the stub of the model.", r.Run.ID, machine(r), r.Run.Placement))
	return chart.PNG(w, 800, 450, "What servers that proxy LLM token streams cost, and how much they serve", print, charts...)
}

// dots draws a ranking; a figure's interval is its spread over the rounds.
func dots(t table, r rank.Ranking, styles map[string]chart.Style) chart.Dots {
	d := chart.Dots{Title: t.title, Label: axis[r.Column.Metric], Size: 12}
	for _, s := range r.Ranked {
		label := r.Column.Text(s.Figure.Mid)
		if r.Rounds > 1 {
			label += ", rank " + r.Place(s)
		}
		d.Dots = append(d.Dots, chart.Dot{
			Name: marked(s.Target, s.Warning), Label: label, Style: styles[s.Target],
			Low: s.Figure.Low * r.Column.Scale, Mid: s.Figure.Mid * r.Column.Scale, High: s.Figure.High * r.Column.Scale,
		})
	}
	return d
}

// axis says of an axis what a column's head is too short for.
var axis = map[string]string{
	cost.Metric: "CPU time of the server for one stream, us (less is better)",
	rate.Metric: "streams per second (more is better)",
}

// styles are those of the targets: a hue per language; direct in ink.
func styles(records []record.Record) map[string]chart.Style {
	family := map[string]string{}
	for _, r := range records {
		family[r.Target()] = r.Server.Language
		if r.OfServer() && r.Server.Language == "" {
			family[r.Target()] = "?"
		}
	}
	return chart.Styles(family)
}
