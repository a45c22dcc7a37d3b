package svg

import (
	"fmt"
	"math"
)

// A Frame is a function as the functions around it called it, with its times at base and at head.
type Frame struct {
	Name       string
	Base, Head float64 // microseconds, with all that it calls
	Below      []Frame
}

const (
	flameRow = 17
	// leastFlame is how wide a function must be, in pixels, to be drawn.
	leastFlame = 1.5
	mostFlame  = 60 // rows
)

// Flame draws a request of base and head as one flame graph. A function is as wide as the time that it takes with all that it calls, at
// base or at head, whichever is more. Red functions take more at head, and green ones less. Each has its name for a search. A root
// whose Base is 0 has no base, and then no function is coloured.
func Flame(width float64, root Frame, unit string) Picture {
	var c canvas
	whole := math.Max(root.Base, root.Head)
	alone := root.Base == 0
	says := func(n Frame) string {
		if alone {
			return fmt.Sprintf("%s: %.1f us", n.Name, n.Head)
		}
		return fmt.Sprintf("%s: %.1f us at base, %.1f us at head (%+.1f)", n.Name, n.Base, n.Head, n.Head-n.Base)
	}
	root.Name = "a whole " + unit
	p := Picture{Width: width, Label: "Flame graph. " + says(root)}
	if whole <= 0 {
		return p
	}
	depth := 0
	var draw func(n Frame, x float64, row int)
	draw = func(n Frame, x float64, row int) {
		wide := math.Max(n.Base, n.Head) / whole * width
		if wide < leastFlame || row >= mostFlame {
			return
		}
		depth = max(depth, row+1)
		y := float64(row) * flameRow
		fmt.Fprintf(&c.Builder, `<g class="frame" data-name="%s"><title>%s</title>`, escape(n.Name), escape(says(n)))
		class := "flame quiet"
		if !alone {
			class = flameClass(n, whole)
		}
		c.box(class, x, y, wide-0.5, flameRow-1, 2)
		if room := int(wide/(0.58*11)) - 1; room > 3 {
			name := []rune(n.Name)
			if len(name) > room {
				name = append(name[:room-1], '…')
			}
			c.text("small", start, x+3, y+flameRow-5, string(name))
		}
		c.WriteString("</g>")
		at := x
		for _, below := range n.Below {
			draw(below, at, row+1)
			at += math.Max(below.Base, below.Head) / whole * width
		}
	}
	draw(root, 0, 0)
	p.Height = float64(depth) * flameRow
	p.body = c.String()
	return p
}

// flameClass colours what changed by more than half a per cent of a request.
func flameClass(n Frame, whole float64) string {
	switch by := n.Head - n.Base; {
	case by > 0.02*whole:
		return "flame worse"
	case by > 0.005*whole:
		return "flame slightly worse"
	case by < -0.02*whole:
		return "flame better"
	case by < -0.005*whole:
		return "flame slightly better"
	}
	return "flame quiet"
}
