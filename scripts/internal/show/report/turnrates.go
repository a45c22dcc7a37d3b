package report

import (
	"fmt"
	"maps"
	"slices"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/report/chart"
)

// turnRates has a section per loading by turns, a panel per plateau: how many
// streams a second each turn saw. Where targets are side by side there is one
// turn, and no panel.
func turnRates(details []record.Details, styles map[string]chart.Style) ([]section, error) {
	var groups []section
	for _, d := range details {
		g := section{Title: fmt.Sprintf("%s, round %d", d.Scenario, d.Round), First: d.Round == details[0].Round, Wide: true}
		if d.Target != "" {
			g.Title += ", " + d.Target + " alone"
		}
		var plateaus []string
		for _, t := range d.Turns {
			if _, turns := plateau(record.Scenario(d.Scenario, t.Plateau)); turns && t.Plateau != raw.WarmUp && !slices.Contains(plateaus, t.Plateau) {
				plateaus = append(plateaus, t.Plateau)
			}
		}
		for _, on := range plateaus {
			p, err := turnRatesPanel(d, on, styles)
			if err != nil {
				return nil, err
			}
			if p.Chart != "" {
				g.Panels = append(g.Panels, p)
			}
		}
		if len(g.Panels) > 0 {
			groups = append(groups, g)
		}
	}
	return groups, nil
}

func turnRatesPanel(d record.Details, on string, styles map[string]chart.Style) (panel, error) {
	series := map[string]*chart.Series{}
	begin := -1.0
	for _, t := range d.Turns {
		if t.Plateau != on {
			continue
		}
		at := float64(t.BeginMS) / 1000
		if begin < 0 {
			begin = at
		}
		for target, rate := range t.Rates {
			if series[target] == nil {
				series[target] = &chart.Series{Name: target, Style: styles[target], Loose: true}
			}
			s := series[target]
			s.X, s.Y = append(s.X, at-begin), append(s.Y, rate)
		}
	}
	vus, _ := plateau(record.Scenario(d.Scenario, on))
	p := panel{Title: fmt.Sprint(vus, " VUs")}
	if len(series) == 0 {
		return p, nil
	}
	c := chart.Lines{XLabel: "seconds of the plateau", YLabel: "streams per second", Width: chartWidth, Height: chartHeight, Size: textSize}
	var counts []float64
	widest, by := "", 0.0
	for _, target := range slices.Sorted(maps.Keys(series)) {
		s := *series[target]
		c.Series = append(c.Series, s)
		counts = append(counts, float64(len(s.Y)))
		if low := slices.Min(s.Y); low > 0 && slices.Max(s.Y)/low > by {
			widest, by = target, slices.Max(s.Y)/low
		}
	}
	p.Says = fmt.Sprintf("%s turns a target.", span(counts, 0))
	if widest != "" && slices.Max(counts) > 1 {
		p.Says += fmt.Sprintf(" The turns of %s differ most: the best had x%.2f the streams of the worst.", widest, by)
	}
	return p, p.draw(fmt.Sprintf("Streams per second of each turn in %s, round %d, %d VUs. %s", d.Scenario, d.Round, vus, p.Says), c)
}
