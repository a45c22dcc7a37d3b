package chart

import (
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Series is a line, or points where Loose is set.
type Series struct {
	Name  string
	Style Style
	X, Y  []float64
	Loose bool
}

// A Span is a part of the x axis that is shaded.
type Span struct{ From, To float64 }

// Lines are series over one x axis. A maximum of 0 is left to the data, and so
// is a minimum on a logarithmic axis.
type Lines struct {
	Title          string
	XLabel, YLabel string
	LogX, LogY     bool
	XTicks         map[float64]string // instead of the usual
	XMax, YMax     float64
	Shades         []Span
	Series         []Series
	Width, Height  float64 // points
	Size           float64 // of text, points
}

// marks is how many markers a line carries, to be told from others.
const marks = 5

func (l Lines) plot() (*plot.Plot, error) {
	p := styled(l.Size)
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = l.Title, l.XLabel, l.YLabel
	grid := plotter.NewGrid()
	grid.Vertical, grid.Horizontal = draw.LineStyle{Color: faint, Width: 0.5}, draw.LineStyle{Color: faint, Width: 0.5}
	var ys []float64
	for _, s := range l.Series {
		ys = append(ys, s.Y...)
	}
	if len(ys) == 0 {
		return nil, fmt.Errorf("chart: %s: no values", l.YLabel)
	}
	top := max(l.YMax, slices.Max(ys))
	for _, s := range l.Shades {
		area, err := plotter.NewPolygon(plotter.XYs{{X: s.From, Y: bottom(l.LogY, ys)}, {X: s.To, Y: bottom(l.LogY, ys)}, {X: s.To, Y: top}, {X: s.From, Y: top}})
		if err != nil {
			return nil, err
		}
		area.Color, area.LineStyle.Width = shade, 0
		p.Add(area)
	}
	p.Add(grid)
	for i, s := range l.Series {
		if err := s.add(p, float64(i)/float64(len(l.Series))); err != nil {
			return nil, err
		}
	}
	p.Y.Min, p.Y.Max = bottom(l.LogY, ys), top
	if !l.LogX && !slices.ContainsFunc(l.Series, func(s Series) bool { return slices.ContainsFunc(s.X, func(x float64) bool { return x < 0 }) }) {
		p.X.Min = 0
	}
	p.X.Max = max(p.X.Max, l.XMax)
	if l.LogX {
		p.X.Scale = plot.LogScale{}
	}
	if l.LogY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
		p.Y.Max = top * 1.05
	}
	if l.XTicks != nil {
		var ticks plot.ConstantTicks
		for _, v := range slices.Sorted(maps.Keys(l.XTicks)) { // the same bytes each time
			ticks = append(ticks, plot.Tick{Value: v, Label: l.XTicks[v]})
		}
		p.X.Tick.Marker = ticks
	}
	return p, nil
}

// bottom is 0, or on a logarithmic axis just under the least value.
func bottom(log bool, ys []float64) float64 {
	if !log {
		return 0
	}
	return slices.Min(ys) / 1.05
}

// logTicks are the powers of ten; on an axis that has fewer than two of them,
// round numbers as on a linear one.
func logTicks(low, high float64) []plot.Tick {
	if math.Floor(math.Log10(high))-math.Ceil(math.Log10(low)) < 1 {
		return round(low, high)
	}
	return plot.LogTicks{Prec: -1}.Ticks(low, high)
}

// add draws a series; the markers of several are at different places.
func (s Series) add(p *plot.Plot, shift float64) error {
	if len(s.X) == 0 {
		return nil
	}
	points := make(plotter.XYs, len(s.X))
	for i := range s.X {
		points[i].X, points[i].Y = s.X[i], s.Y[i]
	}
	some := points
	if !s.Loose {
		line, err := plotter.NewLine(points)
		if err != nil {
			return fmt.Errorf("chart: %s: %w", s.Name, err)
		}
		line.Color, line.Width, line.Dashes = s.Style.color, 1.3, s.Style.dash
		p.Add(line)
		some = nil
		step := max(1, float64(len(points))/marks)
		for i := shift * step; int(i) < len(points); i += step {
			some = append(some, points[int(i)])
		}
	}
	at, err := plotter.NewScatter(some)
	if err != nil {
		return fmt.Errorf("chart: %s: %w", s.Name, err)
	}
	at.GlyphStyle = s.Style.glyph(2.2)
	p.Add(at)
	return nil
}

func (s Style) glyph(radius float64) draw.GlyphStyle {
	return draw.GlyphStyle{Color: color.Color(s.color), Radius: vg.Points(radius), Shape: s.marker}
}
