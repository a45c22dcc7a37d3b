package svg

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Track is the history of one server: a point for each commit, and levels between its events.
type Track struct {
	Name, Hue, Text string // Text is the newest level with its unit
	Points          []Point
	Levels          []Level
}

// A Point is the figure of the commit at a place.
type Point struct {
	At int
	Y  float64
}

// A Level is what the points from one place to another say together. Low and High hold 95 % of them.
type Level struct {
	From, To       int
	Mid, Low, High float64
	Text           string
}

// A Flag marks a place: an event, or a cut, after which figures are not comparable.
type Flag struct {
	At         int
	Text, Note string // Note is left out on a phone
	Class      string // that of a cut is quiet
}

// A Tick labels a place.
type Tick struct {
	At   int
	Text string
}

// Sizes of a history. On a page its margins are the padding of the class history.
const (
	historyWidth, historyHeight = 1080, 390
	plotLeft, plotTop           = 56, 44
	plotHeight                  = historyHeight - plotTop - 30
	across                      = 1000 // units of the plot from top to bottom

	plotFluid = `class="plot" width="100%"`
	plotAlone = `class="plot" width="864"`
)

// History draws one server in focus and the levels of others, over some places. It is as wide as its place on the page, so
// its plot is in units of places and thousandths of the height. Figures are texts of text.
func History(label string, places int, focus Track, others []Track, flags []Flag, ticks []Tick, text func(float64) string) Picture {
	p := Picture{Width: historyWidth, Height: historyHeight, Label: label, fluid: "history", left: plotLeft}
	last := max(1, places-1)
	low, high, all := rangeOf(focus, others)
	if !all {
		others = nil
	}
	y := scale{low, high, across, 0}
	pixel := func(v float64) float64 { return y.at(v) * plotHeight / across }
	var c canvas
	fmt.Fprintf(&c.Builder, `<svg %s y="%d" height="%d">`, plotFluid, plotTop, plotHeight)
	for _, tick := range linearTicks(low, high, 5) {
		fmt.Fprintf(&c.Builder, `<line class="grid" x2="100%%" y1="%[1]s" y2="%[1]s"/>`, n(pixel(tick)))
		c.text("small", end, -8, pixel(tick)+4, text(tick))
	}
	fmt.Fprintf(&c.Builder, `<svg class="data" width="100%%" height="100%%" viewBox="0 0 %d %d" preserveAspectRatio="none">`, last, across)
	for _, l := range focus.Levels {
		c.box("range "+focus.Hue, float64(l.From), y.at(l.High), float64(l.To-l.From), y.at(l.Low)-y.at(l.High), 0)
	}
	for _, o := range others {
		c.levels("level "+o.Hue, y, o.Levels)
	}
	for _, f := range flags {
		c.line("flag "+f.Class, float64(f.At), 0, float64(f.At), across)
	}
	var d strings.Builder
	for _, point := range focus.Points {
		d.WriteString("M" + strconv.Itoa(point.At) + " " + strconv.Itoa(int(math.Round(y.at(max(low, min(high, point.Y)))))) + "h0")
	}
	fmt.Fprintf(&c.Builder, `<path class="points %s" d="%s"/>`, focus.Hue, d.String())
	c.levels("level now "+focus.Hue, y, focus.Levels)
	c.WriteString("</svg>")
	for _, l := range focus.Levels {
		if l.To-l.From >= last/12 { // else its text is wider than it
			c.at("strong wide", middle, float64(l.From+l.To)/2/float64(last), pixel(l.High)-6, l.Text, "")
		}
	}
	c.flags(flags, last)
	for i, tick := range ticks {
		class := "small"
		if i%2 == 1 {
			class = "small wide" // a phone has room for each second one
		}
		c.at(class, middle, float64(tick.At)/float64(last), plotHeight+20, tick.Text, "")
	}
	c.names(pixel, focus, others)
	c.WriteString("</svg>")
	p.body = c.String()
	return p
}

// at writes a text at a share of the width. A phone leaves the note out.
func (c *canvas) at(class string, at anchor, share, y float64, s, note string) {
	if note != "" {
		note = `<tspan class="wide"> ` + escape(note) + `</tspan>`
	}
	fmt.Fprintf(&c.Builder, `<text class="%s" text-anchor="%s" x="%s%%" y="%s">%s%s</text>`, class, at, n(100*share), n(y), escape(s), note)
}

func (c *canvas) levels(class string, y scale, levels []Level) {
	for _, l := range levels {
		c.line(class, float64(l.From), y.at(l.Mid), float64(l.To), y.at(l.Mid))
	}
}

// flags writes the texts of flags above the plot, in two rows, so that neighbours do not meet. One without room has its line alone.
func (c *canvas) flags(flags []Flag, last int) {
	const usual = 860. // width of a plot on a desk
	ends := [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, f := range flags {
		share := float64(f.At) / float64(last)
		left, wide, anchor := share*usual, widthOf(f.Text+f.Note, normal)+8, start
		if left+wide > usual {
			left, anchor = left-wide, end
		}
		for row := range ends {
			if left > ends[row] {
				c.at("strong "+f.Class, anchor, share, -26+16*float64(row), f.Text, f.Note)
				ends[row] = left + wide
				break
			}
		}
	}
}

// names writes the names of servers at the ends of their lines, at least a line of text apart.
func (c *canvas) names(pixel func(float64) float64, focus Track, others []Track) {
	type name struct {
		Track
		y     float64
		class string
	}
	var names []name
	put := func(t Track, class string) {
		if len(t.Levels) > 0 {
			names = append(names, name{t, pixel(t.Levels[len(t.Levels)-1].Mid) + 4, class})
		}
	}
	put(focus, "name strong ")
	for _, o := range others {
		put(o, "name ")
	}
	slices.SortStableFunc(names, func(a, b name) int { return cmp.Compare(a.y, b.y) })
	const room = 16
	for i := 1; i < len(names); i++ {
		names[i].y = max(names[i].y, names[i-1].y+room)
	}
	for i, of := range slices.Backward(names) { // back into the picture, from below
		names[i].y = min(of.y, plotHeight-room*float64(len(names)-1-i))
	}
	for _, of := range names {
		fmt.Fprintf(&c.Builder, `<text class="%s" x="100%%" dx="8" y="%s">%s</text>`, of.class+of.Hue, n(of.y), escape(of.Name+" "+of.Text))
	}
}

// rangeOf is what the axis shows: at least 5 % to both sides of the server in focus. Others are there if the server in focus
// keeps an eighth of the height.
func rangeOf(focus Track, others []Track) (low, high float64, all bool) {
	low, high = math.Inf(1), math.Inf(-1)
	add := func(v float64) { low, high = min(low, v), max(high, v) }
	for _, l := range focus.Levels {
		add(l.Low - 0.05*math.Abs(l.Mid))
		add(l.High + 0.05*math.Abs(l.Mid))
	}
	if low >= high || math.IsInf(low, 1) {
		return 0, 1, false
	}
	own, near, far := high-low, low, high
	for _, o := range others {
		for _, l := range o.Levels {
			add(l.Mid)
		}
	}
	if own < (high-low)/8 {
		return near, far, false
	}
	pad := (high - low) / 40
	return low - pad, high + pad, true
}

// Ribbon draws a stroke for each place, and a dot for each flag with its text below.
func Ribbon(label string, places int, flags []Flag) Picture {
	p := Picture{Width: historyWidth, Height: 52, Label: label, fluid: "ribbon"}
	last := max(1, places-1)
	var c canvas
	fmt.Fprintf(&c.Builder, `<svg width="100%%" height="24" viewBox="0 0 %d 24" preserveAspectRatio="none"><path class="grid" d="`, last)
	for i := range places {
		fmt.Fprintf(&c.Builder, "M%d 6v12", i)
	}
	c.WriteString(`"/></svg>`)
	before := math.Inf(-1)
	for _, f := range flags {
		share := float64(f.At) / float64(last)
		if f.Class == "quiet" {
			fmt.Fprintf(&c.Builder, `<line class="axis" x1="%[1]s%%" x2="%[1]s%%" y2="24"/>`, n(100*share))
		} else {
			fmt.Fprintf(&c.Builder, `<circle class="%s" cx="%s%%" cy="12" r="6"/>`, f.Class, n(100*share))
		}
		half := widthOf(f.Text, 11)/2 + 6
		middleAt := max(half, min(historyWidth-half, share*historyWidth))
		if middleAt-half > before {
			c.at("small wide", middle, middleAt/historyWidth, 42, f.Text, "")
			before = middleAt + half
		}
	}
	p.body = c.String()
	return p
}
