package svg

import (
	"math"
	"strconv"
)

// A Change is a change from base to head. Positive is worse.
type Change struct {
	Name, Note     string // the metric, and where it was measured
	Figures        string // base and head
	Text, Interval string
	Result         string
	Class          string // worse, better, leaning, or quiet
	Low, Mid, High float64
	Widest         [2]float64 // the interval that decides
	Margin         float64
	Rounds         []float64 // a change each
}

// A Group is the changes of one kind.
type Group struct {
	Title, Class string
	Changes      []Change
}

// limit is how far an axis goes to both sides. All changes and margins are inside, and not all intervals.
func limit(groups []Group, farthest float64) float64 {
	reach := 0.0
	for _, g := range groups {
		for _, c := range g.Changes {
			reach = max(reach, math.Abs(c.Mid), c.Margin)
		}
	}
	return min(1.25*reach, farthest)
}

// Columns of a forest plot, in pixels.
const (
	namesWidth   = 200
	figuresWidth = 130
	plotWidth    = 330
	textWidth    = 130
	resultWidth  = 220
	changeHeight = 42
	groupHeight  = 40
)

// Forest draws changes in groups, over their margins, under a title and a sentence. No interval is drawn farther out than
// farthest, in the unit of the changes, since it would flatten all others.
func Forest(title, sentence, unit string, farthest float64, groups []Group) Picture {
	p := Picture{Width: namesWidth + figuresWidth + plotWidth + textWidth + resultWidth, Label: title + ": " + sentence}
	far := limit(groups, farthest)
	left := namesWidth + figuresWidth + 20.
	x := scale{-far, far, left, left + plotWidth - 40}
	var c canvas
	c.text("answer", start, 0, 24, title)
	y := 30.
	for _, line := range lines(sentence, normal, p.Width) {
		y += 17
		c.text("", start, 0, y, line)
	}
	y += 30
	c.text("small", end, left-30, y, "base → head")
	c.text("small", start, x.left-10, y, "← better")
	c.text("small", end, x.right+10, y, "worse →")
	c.text("small", end, left+plotWidth+textWidth-40, y, "change, 95 %")
	for _, g := range groups {
		if g.Title != "" {
			y += groupHeight
			c.text("strong "+g.Class, start, 0, y-14, g.Title)
		}
		for _, ch := range g.Changes {
			ch.draw(&c, x, y)
			c.text("strong", start, 0, y+18, ch.Name)
			c.text("small", start, 0, y+33, ch.Note)
			c.text("", end, left-30, y+24, ch.Figures)
			c.text("strong "+ch.Class, end, left+plotWidth+textWidth-40, y+18, ch.Text)
			c.text("small", end, left+plotWidth+textWidth-40, y+33, ch.Interval)
			c.text(ch.Class, start, left+plotWidth+textWidth-16, y+24, ch.Result)
			y += changeHeight
		}
	}
	for _, tick := range linearTicks(-far, far, 4) {
		c.text("small", middle, x.at(tick), y+14, signed(tick)+unit)
	}
	p.Height = y + axisHeight
	p.body = c.String()
	return p
}

// Stack puts pictures below one another, with a margin.
func Stack(pictures ...Picture) Picture {
	const margin = 20
	var c canvas
	p := Picture{Height: margin}
	for i, one := range pictures {
		c.put(one, margin, p.Height)
		p.Width, p.Height = max(p.Width, one.Width+2*margin), p.Height+one.Height+margin
		if i > 0 {
			p.Label += " "
		}
		p.Label += one.Label
	}
	p.body = c.String()
	return p
}

// draw draws a change in a row that begins at top: its margin, its intervals and its rounds.
func (ch Change) draw(c *canvas, x scale, top float64) {
	inside := func(v float64) float64 { return x.at(max(x.low, min(x.high, v))) }
	c.box("band", inside(-ch.Margin), top+4, inside(ch.Margin)-inside(-ch.Margin), changeHeight-8, 4)
	c.line("axis", inside(0), top, inside(0), top+changeHeight)
	y := top + changeHeight/2
	if len(ch.Rounds) > 0 {
		y -= 5
	}
	if ch.Widest[0] < ch.Widest[1] {
		c.line("wide "+ch.Class, inside(ch.Widest[0]), y, inside(ch.Widest[1]), y)
	}
	c.line("interval "+ch.Class, inside(ch.Low), y, inside(ch.High), y)
	c.dot(ch.Class, inside(ch.Mid), y, 5)
	for _, v := range ch.Rounds {
		c.dot("round "+ch.Class, inside(v), y+13, 2)
	}
	for _, side := range []struct {
		out  bool
		text string
		at   float64
	}{{ch.High > x.high, "→", x.right + 9}, {ch.Low < x.low, "←", x.left - 9}} {
		if side.out {
			c.text(ch.Class, middle, side.at, y+4, side.text)
		}
	}
}

// linearTicks are about n round values from low to high.
func linearTicks(low, high float64, n float64) (ticks []float64) {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/n)))
	for _, by := range []float64{2, 2.5, 2} { // 2, 5, 10
		if (high-low)/step > n+1 {
			step *= by
		}
	}
	for i := math.Ceil(low/step - 1e-9); i*step <= high*(1+1e-9); i++ {
		ticks = append(ticks, i*step)
	}
	return ticks
}

// signed is a value with a true minus.
func signed(v float64) string {
	text := strconv.FormatFloat(math.Round(math.Abs(v)*1e6)/1e6, 'f', -1, 64)
	switch {
	case v < 0:
		return "−" + text
	case v > 0:
		return "+" + text
	}
	return "0"
}
