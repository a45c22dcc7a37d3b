package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/report/chart"
)

// writePNG draws the two rankings as one picture: the cost, and throughput of the highest level. It
// draws one if the other does not exist.
func writePNG(w io.Writer, records []record.Record) error {
	styles := styles(records)
	quick := records[0].Run.Quick
	var charts []chart.Chart
	var ties, left []string
	for _, of := range []func([]record.Record) (table, rank.Ranking){costRanking, throughputRanking} {
		t, r := of(records)
		if !r.HasRanks() {
			continue
		}
		charts = append(charts, dots(t, r, styles, quick))
		if r.Rounds > 1 && !quick {
			ties = append(ties, fmt.Sprintf("%.1f %% in %s", r.ApartPct, r.Scenario))
		}
		for _, s := range r.Unranked {
			left = append(left, s.Target+" in "+r.Scenario)
		}
	}
	if len(charts) == 0 {
		return InputError{errors.New("report: png: nothing is ranked; load two servers or more in the same minutes, in one run")}
	}
	r := records[0]
	print := []string{answer.SpreadMeans(records)}
	if ties != nil {
		print = append(print, "Servers less than "+strings.Join(ties, " and ")+" apart are tied and share a range of ranks.")
	}
	if left != nil && !quick {
		print = append(print, "No rank, because "+rank.WorkloadOf(records).Unit+"s failed or rounds are missing: "+strings.Join(left, ", ")+".")
	}
	if rank.HasWarning(records) {
		print = append(print, mark+" has records with a warning, or invalid ones.")
	}
	if quick {
		print = append(print, noRanks+". "+answer.Shortened)
	}
	print = append(print, fmt.Sprintf("Fairstream, run %s; %s, cores %s among servers, k6 and the stub.", r.Run.ID, answer.Machine(r), r.Run.Placement))
	return chart.PNG(w, 800, 450, rank.WorkloadOf(records).Title, print, charts...)
}

// dots draws a ranking, without ranks in a quick run. A figure's interval is its spread over
// the rounds.
func dots(t table, r rank.Ranking, styles map[string]chart.Style, quick bool) chart.Dots {
	title := t.title
	if quick {
		title, _, _ = strings.Cut(title, ",") // without "cheapest first"
	}
	d := chart.Dots{Title: title, Label: axis(r), Size: 12}
	for _, s := range r.Ranked {
		label := r.Column.Text(s.Figure.Mid)
		if r.Rounds > 1 && !quick {
			label += ", rank " + r.Place(s)
		}
		d.Dots = append(d.Dots, chart.Dot{
			Name: marked(s.Target, s.Warning), Label: label, Style: styles[s.Target],
			Low: s.Figure.Low * r.Column.Scale, Mid: s.Figure.Mid * r.Column.Scale, High: s.Figure.High * r.Column.Scale,
		})
	}
	return d
}

// axis is the label of a ranking's axis, which is longer than a column's head.
func axis(r rank.Ranking) string {
	if r.Column == r.Workload.Throughput {
		return r.Workload.Unit + "s per second (more is better)"
	}
	return "CPU time of the server for one " + r.Workload.CostOf + ", us (less is better)"
}

// styles returns the style of each target: a hue for each language, and ink for direct.
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
