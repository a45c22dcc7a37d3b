package svg

import "fmt"

// Sizes of a strip.
const stripWidth, stripHeight = 360, 36

// Strip is one change without its texts, on the axis of all of its kind. Below its interval are the rounds as small dots.
func Strip(far float64, class string, ch Change) Picture {
	x := scale{-far, far, 12, stripWidth - 12}
	var c canvas
	ch.draw(&c, x, 2, class)
	for _, v := range ch.Rounds {
		c.dot("round "+class, x.at(max(-far, min(far, v))), 29, 2)
	}
	return Picture{
		Width: stripWidth, Height: stripHeight, body: c.String(),
		Label: fmt.Sprintf("%s %s: %s", ch.Note, ch.Name, ch.Text),
	}
}

// Limit is how far the axis of strips goes.
func Limit(groups []Group, farthest float64) float64 { return limit(groups, farthest) }
