package chart

import (
	"io"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Stack draws charts over one another, their x axes aligned, as an element for
// a page; label is what it says to those who cannot see it. All text in it is
// escaped.
func Stack(label string, charts ...Lines) (string, error) {
	var plots [][]*plot.Plot
	var height float64
	for _, l := range charts {
		p, err := l.plot()
		if err != nil {
			return "", err
		}
		plots = append(plots, []*plot.Plot{p})
		height += l.Height
	}
	return svg(charts[0].Width, height, label, func(c draw.Canvas) {
		tiles := draw.Tiles{Rows: len(plots), Cols: 1, PadY: vg.Points(charts[0].Size / 2)}
		for i, row := range plot.Align(plots, tiles, c) {
			plots[i][0].Draw(row[0])
		}
	})
}

// SVG draws as Stack does.
func (d Dots) SVG(label string) (string, error) {
	p, err := d.plot()
	if err != nil {
		return "", err
	}
	return svg(d.Width, d.Height, label, p.Draw)
}

// Swatch is a legend's entry: a short line with a marker.
func Swatch(s Style) (string, error) {
	line := plotter.Line{LineStyle: draw.LineStyle{Color: s.color, Width: 1.6, Dashes: s.dash}}
	point := plotter.Scatter{GlyphStyle: s.glyph(2.6)}
	return svg(30, 9, "", func(c draw.Canvas) {
		line.Thumbnail(&c)
		point.Thumbnail(&c)
	})
}

func svg(width, height float64, label string, paint func(draw.Canvas)) (string, error) {
	canvas := vgsvg.New(vg.Points(width), vg.Points(height))
	paint(draw.New(canvas))
	var b strings.Builder
	if _, err := canvas.WriteTo(&b); err != nil {
		return "", err
	}
	_, element, _ := strings.Cut(b.String(), "<svg ")
	role := `aria-hidden="true"`
	if label != "" {
		role = `role="img" aria-label="` + escape.Replace(label) + `"`
	}
	// Fewer bytes, where a page has many charts.
	return "<svg " + role + " " + shorter.Replace(element), nil
}

var (
	escape  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
	shorter = strings.NewReplacer("font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;", "", "\n\t", " ")
)

// A Chart is Lines or Dots.
type Chart interface{ plot() (*plot.Plot, error) }

// PNG writes charts side by side, under a title and above lines of small print.
func PNG(w io.Writer, width, height float64, title string, print []string, charts ...Chart) error {
	canvas := vgimg.NewWith(vgimg.UseWH(vg.Points(width), vg.Points(height)), vgimg.UseDPI(144), vgimg.UseBackgroundColor(paper))
	c := draw.New(canvas)
	const margin, big, small = 24, 20, 9.5
	style := styled(big).Title.TextStyle
	style.Font, style.XAlign, style.YAlign = fontOf(big), draw.XLeft, draw.YTop
	c.FillText(style, vg.Point{X: margin, Y: c.Max.Y - margin}, title)
	style.Font, style.YAlign = fontOf(small), draw.YBottom
	for i, line := range print {
		c.FillText(style, vg.Point{X: margin, Y: vg.Points(margin*0.6 + float64(len(print)-1-i)*small*1.45)}, line)
	}
	inner := draw.Crop(c, margin, -margin, vg.Points(margin+float64(len(print))*small*1.45), -vg.Points(margin+big*2))
	tiles := draw.Tiles{Rows: 1, Cols: len(charts), PadX: vg.Points(margin)}
	row := make([]*plot.Plot, len(charts))
	for i, d := range charts {
		p, err := d.plot()
		if err != nil {
			return err
		}
		row[i] = p
	}
	for i, at := range plot.Align([][]*plot.Plot{row}, tiles, inner)[0] {
		row[i].Draw(at)
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}
