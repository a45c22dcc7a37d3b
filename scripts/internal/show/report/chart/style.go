// Package chart draws the pictures of report with gonum's plot: lines and dots in colours. It knows nothing
// of servers or records.
package chart

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Colours of the page and its axes.
var (
	ink   = rgb(0x1F2328)
	faint = rgb(0xD0D7DE)
	paper = rgb(0xFFFFFF)
)

// hues distinguish families, for colour-blind readers too (Okabe and Ito).
var hues = []color.RGBA{rgb(0x0072B2), rgb(0xD55E00), rgb(0x009E73), rgb(0xCC79A7), rgb(0xB87A00)}

// A member of a family has its hue, and a dash and a marker of its own.
var (
	dashes  = [][]vg.Length{nil, {6, 2.5}, {1.5, 2}, {8, 2, 1.5, 2}}
	markers = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}}
)

// A Style is the look of a series in all charts of a report.
type Style struct {
	color  color.RGBA
	dash   []vg.Length
	marker draw.GlyphDrawer
}

// Ink is the style of series without a family.
var Ink = Style{color: ink, marker: draw.CrossGlyph{}, dash: []vg.Length{1, 1.5}}

// Styles gives each name a style: its family's hue, and in its family a dash and
// a marker. Names of the family "" are in ink. The same names give the same styles.
func Styles(family map[string]string) map[string]Style {
	var families, names []string
	for name, f := range family {
		names = append(names, name)
		if f != "" && !slices.Contains(families, f) {
			families = append(families, f)
		}
	}
	slices.Sort(families)
	slices.Sort(names)
	styles, members := map[string]Style{}, map[string]int{}
	for _, name := range names {
		f := family[name]
		if f == "" {
			styles[name] = Ink
			continue
		}
		hue, n := slices.Index(families, f)%len(hues), members[f]
		members[f]++
		styles[name] = Style{hues[hue], dashes[n%len(dashes)], markers[n%len(markers)]}
	}
	return styles
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{byte(hex >> 16), byte(hex >> 8), byte(hex), 0xFF}
}

// fontOf returns our font in a size in points.
func fontOf(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

// styled returns an empty plot in our colours.
func styled(size float64) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.Transparent
	p.Title.TextStyle.Font = fontOf(size + 2)
	p.Title.TextStyle.Color = ink
	p.Title.Padding = vg.Points(size)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Label.TextStyle.Color = fontOf(size), ink
		a.Tick.Label.Font, a.Tick.Label.Color = fontOf(size), ink
		a.Color, a.Tick.Color = ink, ink
		a.Tick.Length = vg.Points(3)
		a.Padding = 0
		a.Tick.Marker = plot.TickerFunc(round)
		a.Label.Padding = vg.Points(3)
	}
	return p
}

// round makes gonum's ticks without padding zeros in their labels.
func round(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range ticks {
		if !t.IsMinor() {
			ticks[i].Label = strconv.FormatFloat(math.Round(t.Value*1e9)/1e9, 'g', 6, 64)
		}
	}
	return ticks
}
