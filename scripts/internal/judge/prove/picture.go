package prove

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/report/chart"
)

// sizes of change, in per cent, that the curves of the picture have.
var sizes = []float64{1, 2, 3, 4, 5, 7, 10, 15, 20, 30}

// WritePNG draws what was called in the trials, with intervals, and beside it how
// often a change of a size would be found.
func WritePNG(w io.Writer, trials []Trial) error {
	all := judgeAll(trials)
	style := styles()
	called := chart.Dots{Title: "Called in trials of which the truth is known", Label: "% of comparisons, with 95 % interval", Size: 12}
	dot := func(name string, k, n int, s chart.Style) {
		if n == 0 {
			return
		}
		low, high := clopperPearson(k, n)
		called.Dots = append(called.Dots, chart.Dot{Name: name, Label: fmt.Sprintf("%d of %d", k, n), Style: s, Low: 100 * low, Mid: 100 * float64(k) / float64(n), High: 100 * high})
	}
	for _, kind := range kinds {
		n := tallied(all, kind.is)
		dot(kind.means+", anything", n.alarms, n.trials, chart.Ink)
	}
	for _, p := range plantings(all) {
		of := p.of(all)
		dose := fmt.Sprintf("%g", p.pct)
		if gave, known := p.gave(of); known && p.cell != targets[p.quantity][0] {
			dose = fmt.Sprintf("%.1f", gave) // it is made for another cell
		}
		dot(fmt.Sprintf("%s +%s %%", label(p.cell), dose), p.called(of, verdict.Regressed), len(of), style[p.cell])
	}
	if len(called.Dots) == 0 {
		return errors.New("prove: png: no trials yet")
	}
	charts := []chart.Chart{called}
	print := []string{"Left: the same program, or one edited without effect, should never be called changed; what was made worse should always be. Intervals are Clopper and Pearson's."}
	if p, ok := newPool(all); ok {
		charts = append(charts, curves(p, style))
		print = append(print, fmt.Sprintf("Right: %d comparisons for each size, of %s; head made worse in the cell of that colour.", resamples, p))
	}
	return chart.PNG(w, 1040, 460, "How often verdicts were right", print, charts...)
}

// curves are how often a change of a cell is found, by its size.
func curves(p pool, style map[string]chart.Style) chart.Lines {
	l := chart.Lines{Title: "How large a change is found", XLabel: "worse by %", YLabel: "found in % of comparisons", LogX: true, XTicks: map[float64]string{}, YMax: 100, Size: 12}
	for _, size := range sizes {
		l.XTicks[size] = fmt.Sprint(size)
	}
	for _, quantity := range quantities {
		for _, cell := range targets[quantity] {
			s := chart.Series{Name: label(cell), Style: style[cell]}
			for _, size := range sizes {
				s.X, s.Y = append(s.X, size), append(s.Y, 100*p.found(cell, size/100, 1))
			}
			l.Series = append(l.Series, s)
		}
	}
	return l
}

// label is a cell for readers.
func label(cell string) string {
	scenario, metric, _ := strings.Cut(cell, " ")
	m, _ := record.Find(metric)
	return scenario + " " + m.Label
}

// styles are those of the cells that doses are for: a hue for each quantity.
func styles() map[string]chart.Style {
	family := map[string]string{}
	for quantity, cells := range targets {
		for _, cell := range cells {
			family[cell] = quantity
		}
	}
	return chart.Styles(family)
}
