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

// writePNG draws the rankings that exist as one picture.
func writePNG(w io.Writer, records []record.Record) error {
	records, outs := rank.Calm(records)
	styles := styles(records)
	quick := records[0].Run.Quick
	var charts []chart.Chart
	var ties, left []string
	for _, t := range rankTables {
		r := t.of(records)
		if !r.HasRanks() {
			continue
		}
		charts = append(charts, dots(t, r, styles, quick))
		if r.Decides() && !quick {
			ties = append(ties, fmt.Sprintf("%.1f %% in %s", r.ApartPct, strings.ToLower(t.what)))
		}
		for _, s := range r.Unranked {
			left = append(left, s.Target+" in "+strings.ToLower(t.what))
		}
	}
	if len(charts) == 0 {
		return InputError{errors.New("report: png: nothing is ranked; load two servers or more in the same minutes, in one run")}
	}
	r := records[0]
	var print []string
	if ties != nil {
		print = append(print, "A dot is a server as a multiple of the first, and its line is the interval of the test for all pairs at once.")
		print = append(print, "In the median pair, servers less than "+strings.Join(ties, ", ")+" apart are tied.")
	}
	if left != nil && !quick {
		print = append(print, "No rank, because "+rank.WorkloadOf(records).Unit+"s failed or rounds are missing: "+strings.Join(left, ", ")+".")
	}
	for _, l := range outs {
		print = append(print, l.String()+".")
	}
	if rank.HasWarning(records) {
		print = append(print, mark+" has records with a warning, or invalid ones.")
	}
	if quick {
		print = append(print, noRanks+". "+answer.Shortened)
	}
	print = append(print, fmt.Sprintf("Fairstream, run %s; %s, cores %s among servers, k6 and the stub.", r.Run.ID, answer.Machine(r), r.Run.Placement))
	return chart.PNG(w, max(800, 400*float64(len(charts))), 450, rank.WorkloadOf(records).Title, print, charts...)
}

// dots draws a ranking: each server as a multiple of the first, with the interval that decides ties. A quick run has no
// ranks, and no intervals.
func dots(t ranked, r rank.Ranking, styles map[string]chart.Style, quick bool) chart.Dots {
	d := chart.Dots{Title: t.title(r), Label: t.times, Size: 12}
	for i, s := range r.Ranked {
		dot := chart.Dot{
			Name: marked(s.Target, s.Warning), Label: r.Figure(s), Style: styles[s.Target], Low: s.Ratio, Mid: s.Ratio, High: s.Ratio,
		}
		if r.Decides() && !quick {
			dot.Label += ", rank " + r.Place(s)
			if i > 0 {
				dot.Low, dot.High = s.Low, s.High
			}
		}
		d.Dots = append(d.Dots, dot)
	}
	return d
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
