package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"fairstream/k6/common/hist"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/report/chart"
)

// What a stream is measured by, with the metric that says what it means.
var measures = []struct {
	title, metric string
	counts        func(record.Durations) hist.Counts
}{
	{"time of a stream", "stream_p50_ms", func(d record.Durations) hist.Counts { return d.Stream }},
	{"time to first token (TTFT)", "ttft_p50_ms", func(d record.Durations) hist.Counts { return d.TTFT }},
	{"gap between tokens", "gap_p50_ms", func(d record.Durations) hist.Counts { return d.Gap }},
	{"transit of a token", "transit_p50_ms", func(d record.Durations) hist.Counts { return d.Transit }},
}

// beyond is how many values must lie beyond a quantile that is drawn: the last
// few are chance.
const beyond = 5

// leastX is the 10th percentile: the few that were quicker take more room than
// they are worth.
const leastX = 1 / 0.9

// percentiles are where the axis of quantiles q has ticks, at 1/(1-q): it makes
// as much room for 99.9 as for 90.
var percentiles = map[float64]string{leastX: "10", 2: "50", 10: "90", 100: "99", 1e3: "99.9", 1e4: "99.99", 1e5: "99.999", 1e6: "99.9999"}

// distributions has a section per scenario and plateau, a panel per measure; the
// rounds are taken together.
func distributions(details []record.Details, styles map[string]chart.Style) ([]section, error) {
	var names []string // of scenarios
	all := map[string]map[string][]record.Durations{}
	for _, d := range details {
		for _, of := range d.Durations {
			if all[of.Scenario] == nil {
				names, all[of.Scenario] = append(names, of.Scenario), map[string][]record.Durations{}
			}
			all[of.Scenario][of.Target] = append(all[of.Scenario][of.Target], of)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		va, sa := plateau(a)
		vb, sb := plateau(b)
		if sa != sb {
			return map[bool]int{false: -1, true: 1}[sa]
		}
		return cmp.Compare(va, vb)
	})
	var groups []section
	for _, scenario := range names {
		g := section{Title: scenario, First: true, Wide: true}
		for _, m := range measures {
			counts := map[string]hist.Counts{}
			for target, rounds := range all[scenario] {
				var sum hist.Counts
				for _, d := range rounds {
					sum.Merge(m.counts(d))
				}
				counts[target] = sum
			}
			p, err := distribution(scenario, m.title, counts, styles)
			if err != nil {
				return nil, err
			}
			if p.Chart != "" {
				g.Panels = append(g.Panels, p)
			}
		}
		groups = append(groups, g)
	}
	return groups, nil
}

func distribution(scenario, title string, counts map[string]hist.Counts, styles map[string]chart.Style) (panel, error) {
	p := panel{Title: title}
	c := chart.Lines{XLabel: "percentile", YLabel: "ms", LogX: true, LogY: true, XTicks: percentiles, Width: chartWidth, Height: chartHeight, Size: textSize}
	type tail struct {
		target string
		ms     float64
	}
	var tails []tail
	for _, target := range slices.Sorted(maps.Keys(counts)) {
		of := counts[target]
		s := chart.Series{Name: target, Style: styles[target]}
		for x := leastX; x*beyond <= float64(of.Count); x *= math.Pow(10, 1.0/10) {
			s.X = append(s.X, x)
			// What takes no microsecond has no place on a logarithmic axis.
			s.Y = append(s.Y, max(1, of.QuantileUS(1-1/x))/1000)
		}
		if len(s.X) == 0 {
			continue
		}
		c.Series = append(c.Series, s)
		tails = append(tails, tail{target, of.QuantileUS(0.99) / 1000})
	}
	if len(tails) == 0 {
		return p, nil
	}
	slices.SortStableFunc(tails, func(a, b tail) int { return cmp.Compare(a.ms, b.ms) })
	first, last := tails[0], tails[len(tails)-1]
	p.Says = fmt.Sprintf("99th percentile: least %s %s ms, most %s %s ms.", first.target, short(first.ms), last.target, short(last.ms))
	return p, p.draw(fmt.Sprintf("%s in %s, by percentile, of %d targets. %s", title, scenario, len(tails), p.Says), c)
}

// short is a time with the digits that are worth reading.
func short(ms float64) string { return fmt.Sprintf("%.*f", max(0, 2-int(math.Log10(max(1, ms)))), ms) }
