package chart

import (
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
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
