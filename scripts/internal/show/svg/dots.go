package svg

import (
	"iter"
	"math"
	"slices"
	"strconv"
)

// A Dot is the ratio of a server to the first, with its interval. Without an interval Low and High are Mid.
type Dot struct {
	Place, Name, Figure string
	Hue                 string // a class
	Low, Mid, High      float64
	Tied                bool // with the first
}

// A Mark is a reference: the ratio of another program to the first server, which has no rank.
type Mark struct {
	Name, Figure string
	Ratio        float64
}

// The axis covers this factor at least, so that servers that hardly differ look so. Bold text is so much wider.
const (
	leastSpan = 1.1
	bold      = 1.12
)

// Heights of a row and of the axis below all rows.
const (
	row        = 24
	axisHeight = 22
)

// Dots draws a row for each ratio, on a logarithmic axis. A band lies behind the servers that are tied with the first.
// Marks are dashed lines through all rows, each with a row of its own below them.
func Dots(width float64, label string, dots []Dot, marks ...Mark) Picture {
	p := Picture{Width: width, Height: row*float64(len(dots)+len(marks)) + axisHeight, Label: label}
	var places, names, figures, least, most float64 = 0, 0, 0, 1, 1
	for i, d := range dots {
		places, names, figures = max(places, widthOf(d.Place, normal)), max(names, widthOf(d.Name, normal)), max(figures, widthOf(d.Figure, normal))
		if i == 0 { // it is bold
			names, figures = max(names, bold*widthOf(d.Name, normal)), max(figures, bold*widthOf(d.Figure, normal))
		}
		least, most = min(least, d.Low), max(most, d.High)
	}
	for _, m := range marks {
		names, figures = max(names, widthOf(m.Name, normal)), max(figures, widthOf(m.Figure, normal))
		least, most = min(least, m.Ratio), max(most, m.Ratio)
	}
	if places > 0 {
		places += 8
	}
	if least == 1 {
		most = max(most, leastSpan)
	} else {
		least = min(least, most/leastSpan)
	}
	x := scale{math.Log(least), math.Log(most), places + names + 16, width - figures - 24}
	var c canvas
	bottom := row * float64(len(dots)+len(marks))
	for first, end := range tiedRows(dots) {
		c.box("band", 0, row*float64(first), width, row*float64(end-first), 6)
	}
	for _, tick := range ratioTicks(x) {
		at := x.at(math.Log(tick))
		c.line("grid", at, 0, at, bottom)
		c.text("small", middle, at, bottom+16, strconv.FormatFloat(tick, 'f', -1, 64)+"×")
	}
	for i, d := range dots {
		y := row * (float64(i) + 0.5)
		class := ""
		if i == 0 {
			class = "strong"
		}
		c.text("quiet", start, 6, y+4.5, d.Place)
		c.text(class, start, places+6, y+4.5, d.Name)
		if d.Low < d.High {
			c.line("interval "+d.Hue, x.at(math.Log(d.Low)), y, x.at(math.Log(d.High)), y)
		}
		c.dot(d.Hue, x.at(math.Log(d.Mid)), y, 4.5)
		c.text(class, end, width-6, y+4.5, d.Figure)
	}
	for i, m := range marks {
		y := row * (float64(len(dots)+i) + 0.5)
		at := x.at(math.Log(m.Ratio))
		c.line("reference quiet", at, 0, at, y)
		c.text("quiet", start, places+6, y+4.5, m.Name)
		c.text("quiet", end, width-6, y+4.5, m.Figure)
	}
	p.body = c.String()
	return p
}

// tiedRows are the stretches of rows that are tied with the first: a server between two of them may be certainly behind. One
// server alone is tied with nothing.
func tiedRows(dots []Dot) iter.Seq2[int, int] {
	return func(yield func(first, end int) bool) {
		tied := func(d Dot) bool { return d.Tied }
		if len(dots) < 2 || !slices.ContainsFunc(dots[1:], tied) {
			return
		}
		for i := 0; i < len(dots); i++ {
			first := i
			for i < len(dots) && dots[i].Tied {
				i++
			}
			if i > first && !yield(first, i) {
				return
			}
		}
	}
}

// A scale maps values from low to high to pixels from left to right.
type scale struct{ low, high, left, right float64 }

func (s scale) at(v float64) float64 {
	if s.high == s.low {
		return (s.left + s.right) / 2
	}
	return s.left + (v-s.low)/(s.high-s.low)*(s.right-s.left)
}

// roundRatios are marks of a logarithmic axis, the most useful first.
var roundRatios = []float64{1, 2, 0.5, 5, 10, 0.2, 3, 1.5, 20, 50, 0.1, 0.7, 0.8, 0.9, 1.2, 1.1, 0.6, 0.3, 1.05, 0.95}

// ratioTicks are the marks that have room.
func ratioTicks(x scale) (ticks []float64) {
	const room = 36
	for _, v := range roundRatios {
		at := x.at(math.Log(v))
		if at < x.left-1 || at > x.right+1 ||
			slices.ContainsFunc(ticks, func(other float64) bool { return math.Abs(at-x.at(math.Log(other))) < room }) {
			continue
		}
		ticks = append(ticks, v)
	}
	return ticks
}
