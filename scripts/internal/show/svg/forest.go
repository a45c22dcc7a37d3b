package svg

import (
	"math"
	"strconv"
)

// A Change is a change from base to head. Positive is worse.
type Change struct {
	Name, Note     string // the metric, and where it was measured
	Figures, Text  string // base and head; the change
	Low, Mid, High float64
	Margin         float64
	Rounds         []float64 // the change in each round; drawn by Strip alone
}

// A Group is the changes of one kind. Its class is a colour: worse, better, leaning or quiet.
type Group struct {
	Title, Class string
	Changes      []Change
}

// Heights of a change and of a group's title.
const (
	changeHeight = 46
	groupHeight  = 30
)

// Forest draws changes in groups, each over its margin, below an answer. A change has a line of text, and its interval below
// it. No interval is drawn farther out than farthest, in the unit of the changes, since it would flatten all others.
func Forest(width float64, question, answer, class, sentence, unit string, farthest float64, groups []Group) Picture {
	p := Picture{Width: width, Label: question + ": " + answer + ". " + sentence}
	inner := width - 2*padding
	var c canvas
	y := padding + normal
	c.text("quiet", start, padding, y, question)
	y += 31
	c.text("answer "+class, start, padding, y, answer)
	y += 6
	for _, line := range lines(sentence, normal, inner) {
		y += 17
		c.text("", start, padding, y, line)
	}
	far := limit(groups, farthest)
	x := scale{-far, far, padding + 8, width - padding - 8}
	for _, g := range groups {
		y += groupHeight
		c.text("strong "+g.Class, start, padding, y-2, g.Title)
		for _, ch := range g.Changes {
			c.text("", start, padding, y+18, ch.Name)
			c.text("small", start, padding+widthOf(ch.Name, normal)+8, y+18, ch.Note)
			c.text("small", end, width-padding-72, y+18, ch.Figures)
			c.text("strong "+g.Class, end, width-padding, y+18, ch.Text)
			ch.draw(&c, x, y+24, g.Class)
			y += changeHeight
		}
	}
	y += 8
	for _, tick := range linearTicks(-far, far, 4) {
		c.text("small", middle, x.at(tick), y+10, strconv.FormatFloat(math.Abs(tick), 'f', -1, 64)+unit)
	}
	c.text("small", middle, (x.left+x.right)/2, y+28, "better ←   → worse")
	p.Height = y + 28 + padding
	c.box("card", 0.5, 0.5, width-1, p.Height-1, 12)
	p.body = c.String()
	return p
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

// draw draws a change in a row that begins at top: its margin, and its interval.
func (ch Change) draw(c *canvas, x scale, top float64, class string) {
	const height = 18
	inside := func(v float64) float64 { return x.at(max(x.low, min(x.high, v))) }
	y := top + height/2
	c.box("band", inside(-ch.Margin), top, inside(ch.Margin)-inside(-ch.Margin), height, 4)
	c.line("grid", x.left, top+height, x.right, top+height)
	c.line("axis", inside(0), top, inside(0), top+height)
	c.line("interval "+class, inside(ch.Low), y, inside(ch.High), y)
	c.dot(class, inside(ch.Mid), y, 4.5)
	if ch.High > x.high {
		c.text(class, middle, x.right+9, y+4, "→")
	}
	if ch.Low < x.low {
		c.text(class, middle, x.left-9, y+4, "←")
	}
}

// Stack puts pictures below one another.
func Stack(pictures ...Picture) Picture {
	const space = 16
	var c canvas
	var p Picture
	for i, one := range pictures {
		if i > 0 {
			p.Height, p.Label = p.Height+space, p.Label+" "
		}
		c.put(one, 0, p.Height)
		p.Width, p.Height, p.Label = max(p.Width, one.Width), p.Height+one.Height, p.Label+one.Label
	}
	p.body = c.String()
	return p
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
