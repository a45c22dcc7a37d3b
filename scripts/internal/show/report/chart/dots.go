package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Dot is a ratio with its interval; without one, Low and High are Mid.
type Dot struct {
	Name           string
	Label          string // the figure as text
	Style          Style
	Low, Mid, High float64
}

// Dots is a row per ratio, the first at the top. A line marks 1.
type Dots struct {
	Title string
	Label string // of the x axis
	Dots  []Dot
	Size  float64 // of text, points
}

func (d Dots) plot() (*plot.Plot, error) {
	p := styled(d.Size)
	p.Title.Text, p.X.Label.Text = d.Title, d.Label
	p.Title.TextStyle.XAlign = draw.XCenter
	var names []string
	for i := range d.Dots {
		names = append(names, d.Dots[len(d.Dots)-1-i].Name)
	}
	p.NominalY(names...)
	p.X.Padding, p.Y.Padding = 0, vg.Points(d.Size/2)
	grid := plotter.NewGrid()
	grid.Vertical, grid.Horizontal = draw.LineStyle{Color: faint, Width: 0.5}, draw.LineStyle{}
	p.Add(grid)
	left, right := 1.0, 1.0
	one, err := plotter.NewLine(plotter.XYs{{X: 1, Y: -0.5}, {X: 1, Y: float64(len(d.Dots)) - 0.5}})
	if err != nil {
		return nil, err
	}
	one.Color, one.Width = faint, vg.Points(d.Size/5)
	p.Add(one)
	for i, dot := range d.Dots {
		at := plotter.XYs{{X: dot.Mid, Y: float64(len(d.Dots) - 1 - i)}}
		bar, err := plotter.NewXErrorBars(interval{at, plotter.XErrors{{Low: dot.Low - dot.Mid, High: dot.High - dot.Mid}}})
		if err != nil {
			return nil, err
		}
		bar.Color, bar.Width, bar.CapWidth = dot.Style.color, vg.Points(d.Size/7), vg.Points(d.Size*0.7)
		point, err := plotter.NewScatter(at)
		if err != nil {
			return nil, err
		}
		point.GlyphStyle = dot.Style.glyph(d.Size * 0.38)
		text, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: dot.High, Y: at[0].Y}}, Labels: []string{dot.Label}})
		if err != nil {
			return nil, err
		}
		text.TextStyle[0].Font, text.TextStyle[0].Color, text.TextStyle[0].YAlign = fontOf(d.Size), ink, draw.YCenter
		text.Offset.X, text.Offset.Y = vg.Points(d.Size*0.8), vg.Points(d.Size*0.15)
		if dot.Low < dot.High {
			p.Add(bar)
		}
		p.Add(point, text)
		left, right = min(left, dot.Low), max(right, dot.High)
	}
	p.X.Min, p.X.Max = left, right
	p.Y.Min, p.Y.Max = -0.5, float64(len(d.Dots))-0.5
	return p, nil
}

type interval struct {
	plotter.XYs
	plotter.XErrors
}
