package chart

import (
	"fmt"
	"image/color"
	"maps"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Series is a line.
type Series struct {
	Name  string
	Style Style
	X, Y  []float64
}

// Lines are series over one x axis, which is logarithmic.
type Lines struct {
	Title          string
	XLabel, YLabel string
	XTicks         map[float64]string
	YMax           float64 // smallest range of the y axis; 0: from the data
	Series         []Series
	Size           float64 // of text, points
}

// marks is the number of markers on a line, which distinguish it from others.
const marks = 5

func (l Lines) plot() (*plot.Plot, error) {
	p := styled(l.Size)
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = l.Title, l.XLabel, l.YLabel
	grid := plotter.NewGrid()
	grid.Vertical, grid.Horizontal = draw.LineStyle{Color: faint, Width: 0.5}, draw.LineStyle{Color: faint, Width: 0.5}
	p.Add(grid)
	var ys []float64
	for i, s := range l.Series {
		ys = append(ys, s.Y...)
		if err := s.add(p, float64(i)/float64(len(l.Series))); err != nil {
			return nil, err
		}
	}
	if len(ys) == 0 {
		return nil, fmt.Errorf("chart: %s: no values", l.YLabel)
	}
	p.Y.Min, p.Y.Max = 0, max(l.YMax, slices.Max(ys))
	p.X.Scale = plot.LogScale{}
	var ticks plot.ConstantTicks
	for _, v := range slices.Sorted(maps.Keys(l.XTicks)) { // deterministic output
		ticks = append(ticks, plot.Tick{Value: v, Label: l.XTicks[v]})
	}
	p.X.Tick.Marker = ticks
	return p, nil
}

// add draws a series. Series have their markers at different places.
func (s Series) add(p *plot.Plot, shift float64) error {
	if len(s.X) == 0 {
		return nil
	}
	points := make(plotter.XYs, len(s.X))
	for i := range s.X {
		points[i].X, points[i].Y = s.X[i], s.Y[i]
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return fmt.Errorf("chart: %s: %w", s.Name, err)
	}
	line.Color, line.Width, line.Dashes = s.Style.color, 1.3, s.Style.dash
	p.Add(line)
	var some plotter.XYs
	step := max(1, float64(len(points))/marks)
	for i := shift * step; int(i) < len(points); i += step {
		some = append(some, points[int(i)])
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
