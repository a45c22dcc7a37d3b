package svg

// A Card answers one question in a word and a sentence, above the figures that say so.
type Card struct {
	Question, Answer, Sentence string
	Dots                       []Dot
	Marks                      []Mark
}

// padding is the room between the border of a card and what is in it.
const padding = 14

// draw makes the picture of a card.
func (a Card) draw(width float64) Picture {
	inner := width - 2*padding
	var c canvas
	y := padding + normal
	c.text("quiet", start, padding, y, a.Question)
	class := "answer"
	if widthOf(a.Answer, big) > inner {
		class = "answer long"
	}
	y += 31
	c.text(class, start, padding, y, a.Answer)
	y += 6
	for _, line := range lines(a.Sentence, normal, inner) {
		y += 17
		c.text("quiet", start, padding, y, line)
	}
	dots := Dots(inner, a.Question, a.Dots, a.Marks...)
	c.put(dots, padding, y+12)
	p := Picture{Width: width, Height: y + 12 + dots.Height + padding, Label: a.Question + ": " + a.Answer + ". " + a.Sentence}
	p.body = c.String()
	return p
}

// Cards puts cards side by side, above small print. One card alone may stand in a narrow place.
func Cards(width float64, print string, cards ...Card) Picture {
	const space = 16
	var c canvas
	var p Picture
	for i, a := range cards {
		one := a.draw(width)
		c.put(one, float64(i)*(width+space), 0)
		p.Height = max(p.Height, one.Height)
		if i > 0 {
			p.Label += " "
		}
		p.Label += one.Label
	}
	p.Width = float64(len(cards))*(width+space) - space
	for i := range cards {
		c.box("card", float64(i)*(width+space)+0.5, 0.5, width-1, p.Height-1, 12)
	}
	if print != "" {
		for _, line := range lines(print, 11, p.Width) {
			p.Height += 16
			c.text("small", start, 0, p.Height, line)
		}
		p.Height += 6
	}
	p.body = c.String()
	return p
}
