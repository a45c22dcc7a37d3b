package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Styles of a Change.
var (
	Worse   = Style{color: hues[1], marker: draw.PyramidGlyph{}}
	Better  = Style{color: hues[2], marker: draw.BoxGlyph{}}
	Same    = Style{color: ink, marker: draw.CircleGlyph{}}
	Unclear = Style{color: ink, marker: draw.RingGlyph{}}

	LeaningWorse  = Style{color: hues[1], marker: draw.TriangleGlyph{}}
	LeaningBetter = Style{color: hues[2], marker: draw.SquareGlyph{}}
)

// A Change is a change with its interval, over its margin to both sides of 0.
type Change struct {
	Name           string
	Label          string // the change as text
	Style          Style
	Low, Mid, High float64
	Margin         float64
}

// Forest is a row per change, the first at the top.
type Forest struct {
	Title, Label string // Label is that of the x axis
	Changes      []Change
	Most         float64 // no interval is drawn farther out, since it would flatten all others
	Size         float64 // of text, points
}

// limit is how far the axis goes to both sides: all changes and margins are inside, not all intervals.
func (f Forest) limit() float64 {
	reach := 0.0
	for _, c := range f.Changes {
		reach = max(reach, math.Abs(c.Mid), c.Margin)
	}
	return min(1.25*reach, f.Most)
}

func (f Forest) plot() (*plot.Plot, error) {
	p := styled(f.Size)
	p.Title.Text, p.X.Label.Text = f.Title, f.Label
	limit := f.limit()
	inside := func(v float64) float64 { return max(-limit, min(limit, v)) }
	names := make([]string, len(f.Changes))
	for i, c := range f.Changes {
		names[len(names)-1-i] = c.Name
	}
	p.NominalY(names...)
	p.X.Padding, p.Y.Padding = 0, vg.Points(f.Size/2)
	for i, c := range f.Changes {
		if err := c.draw(p, float64(len(names)-1-i), inside, f.Size); err != nil {
			return nil, err
		}
	}
	zero, err := plotter.NewLine(plotter.XYs{{X: 0, Y: -0.5}, {X: 0, Y: float64(len(names)) - 0.5}})
	if err != nil {
		return nil, err
	}
	zero.Color, zero.Width = ink, vg.Points(0.7)
	p.Add(zero)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -limit, limit, -0.5, float64(len(names))-0.5
	return p, nil
}

// draw draws the change in its row. An interval without a cap goes on outside of the picture.
func (c Change) draw(p *plot.Plot, y float64, inside func(float64) float64, size float64) error {
	low, high := inside(-c.Margin), inside(c.Margin)
	top, bottom := y+0.4, y-0.4
	box := plotter.XYs{{X: low, Y: bottom}, {X: high, Y: bottom}, {X: high, Y: top}, {X: low, Y: top}}
	band, err := plotter.NewPolygon(box)
	if err != nil {
		return err
	}
	band.Color, band.LineStyle.Width = faint, 0
	p.Add(band)
	low, high = inside(c.Low), inside(c.High)
	lines := []plotter.XYs{{{X: low, Y: y}, {X: high, Y: y}}}
	for _, end := range []float64{c.Low, c.High} {
		if end == inside(end) {
			lines = append(lines, plotter.XYs{{X: end, Y: y - 0.2}, {X: end, Y: y + 0.2}})
		}
	}
	for _, xys := range lines {
		line, err := plotter.NewLine(xys)
		if err != nil {
			return err
		}
		line.Color, line.Width = c.Style.color, vg.Points(size/7)
		p.Add(line)
	}
	dot, err := plotter.NewScatter(plotter.XYs{{X: inside(c.Mid), Y: y}})
	if err != nil {
		return err
	}
	dot.GlyphStyle = c.Style.glyph(size * 0.38)
	right := plotter.XYs{{X: inside(math.Inf(1)), Y: y}}
	text, err := plotter.NewLabels(plotter.XYLabels{XYs: right, Labels: []string{c.Label}})
	if err != nil {
		return err
	}
	style := &text.TextStyle[0]
	style.Font, style.Color, style.YAlign = fontOf(size), c.Style.color, draw.YCenter
	text.Offset.X, text.Offset.Y = vg.Points(size*0.8), vg.Points(size*0.15)
	p.Add(dot, text)
	return nil
}
