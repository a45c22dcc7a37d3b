package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/report/chart"
)

// A section is charts of one kind in one place, as a page shows them.
type section struct {
	Title  string
	Panels []panel
	First  bool // of its kind; a page shows it open
	Wide   bool // panels want room
}

// A panel is charts of one thing, and what they say in words.
type panel struct {
	Title, Says string
	Chart       template.HTML
}

// Sizes of charts in points: they fit side by side on a desk and one by one on a phone.
const (
	chartWidth, chartHeight = 330, 210
	lowHeight               = 95
	textSize                = 9
)

// timelines has a section per loading: CPU and memory of each process, second by
// second; the seconds are shaded in which the process had its turn.
func timelines(details []record.Details, styles map[string]chart.Style) ([]section, error) {
	var groups []section
	for _, d := range details {
		g := section{Title: fmt.Sprintf("%s, round %d", d.Scenario, d.Round), First: d.Round == details[0].Round}
		if d.Target != "" {
			g.Title += ", " + d.Target + " alone"
		}
		lines := slices.Clone(d.Timelines)
		slices.SortStableFunc(lines, func(a, b record.Timeline) int { return order(a.Process) - order(b.Process) })
		end := seconds(d)
		for _, ruler := range []bool{false, true} {
			cpu, rss := top(lines, ruler)
			for _, t := range lines {
				if (order(t.Process) > 0) != ruler {
					continue
				}
				p, err := timelinePanel(d, t, styles, end, cpu, rss)
				if err != nil {
					return nil, err
				}
				g.Panels = append(g.Panels, p)
			}
		}
		if len(g.Panels) > 0 {
			groups = append(groups, g)
		}
	}
	return groups, nil
}

// order puts the servers before the ruler.
func order(process string) int { return slices.Index([]string{"k6", "stub"}, process) + 1 }

// seconds is how long a loading and its samples took.
func seconds(d record.Details) (end float64) {
	for _, t := range d.Turns {
		end = max(end, (float64(t.BeginMS)+t.TookMS)/1000)
	}
	for _, t := range d.Timelines {
		end = max(end, float64(slices.Max(append(t.Second, 0))))
	}
	return end
}

// top is the highest value of the servers, or of the ruler: one scale for each,
// so that panels can be compared.
func top(lines []record.Timeline, ruler bool) (cpu, rss float64) {
	for _, t := range lines {
		if (order(t.Process) > 0) == ruler && len(t.CPUPct) > 0 && len(t.RSSBytes) > 0 {
			cpu, rss = max(cpu, slices.Max(t.CPUPct)), max(rss, float64(slices.Max(t.RSSBytes))/1e6)
		}
	}
	return cpu, rss
}

func timelinePanel(d record.Details, t record.Timeline, styles map[string]chart.Style, end, cpu, rss float64) (p panel, err error) {
	style, known := styles[t.Process]
	if !known {
		style = chart.Ink
	}
	n := min(len(t.Second), len(t.CPUPct), len(t.RSSBytes))
	if n == 0 {
		return panel{Title: t.Process, Says: "not sampled"}, nil
	}
	x, memory := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], memory[i] = float64(t.Second[i]), float64(t.RSSBytes[i])/1e6
	}
	mean := 0.0
	for _, v := range t.CPUPct[:n] {
		mean += v / float64(n)
	}
	p = panel{Title: t.Process}
	p.Says = fmt.Sprintf("CPU on average %.0f %%, at most %.0f %% of one core; memory %s MB.",
		mean, slices.Max(t.CPUPct[:n]), span(memory, 1))
	base := chart.Lines{XMax: end, Shades: turns(d, t.Process), Width: chartWidth, Height: lowHeight, Size: textSize}
	one, two := base, base
	one.YLabel, one.YMax, one.Series = "CPU, %", cpu, []chart.Series{{Name: t.Process, Style: style, X: x, Y: t.CPUPct[:n]}}
	two.YLabel, two.YMax, two.XLabel, two.Series = "RSS, MB", rss, "seconds", []chart.Series{{Name: t.Process, Style: style, X: x, Y: memory}}
	where := fmt.Sprintf("%s in %s, round %d, over %.0f seconds: ", t.Process, d.Scenario, d.Round, math.Ceil(end))
	return p, p.draw(where+p.Says, one, two)
}

// draw gives a panel its charts.
func (p *panel) draw(label string, charts ...chart.Lines) error {
	svg, err := chart.Stack(label, charts...)
	if err != nil {
		return fmt.Errorf("report: html: %s: %w", p.Title, err)
	}
	p.Chart = template.HTML(svg) // chart escapes what is text in it
	return nil
}

// turns are when a target was loaded, without the warm-up; for the ruler, when
// anyone was. Turns that follow each other at once are one.
func turns(d record.Details, process string) (spans []chart.Span) {
	for _, t := range d.Turns {
		if _, its := t.Rates[process]; t.Plateau == raw.WarmUp || !its && order(process) == 0 {
			continue
		}
		from, to := float64(t.BeginMS)/1000, (float64(t.BeginMS)+t.TookMS)/1000
		if n := len(spans); n > 0 && from-spans[n-1].To < 0.1 {
			spans[n-1].To = to
			continue
		}
		spans = append(spans, chart.Span{From: from, To: to})
	}
	return spans
}
