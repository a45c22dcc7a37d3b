package svg

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
)

// A Curve is a share, in per cent, over sizes.
type Curve struct {
	Name  string
	Class string
	Y     []float64
}

// Curves draws shares over sizes in per cent, which are on a logarithmic axis. Their names stand
// in a corner that no curve reaches: the lower right, in the order of the curves from left to right.
func Curves(width, height float64, label, xLabel string, sizes []float64, curves []Curve) Picture {
	p := Picture{Width: width, Height: height, Label: label}
	x := scale{math.Log(sizes[0]), math.Log(sizes[len(sizes)-1]), 44, width - 20}
	y := scale{0, 100, height - 40, 12}
	var c canvas
	for _, share := range []float64{0, 50, 80, 100} {
		c.line("grid", x.left, y.at(share), x.right, y.at(share))
		c.text("small", end, x.left-8, y.at(share)+4, strconv.Itoa(int(share))+" %")
	}
	for _, size := range sizes {
		if slices.Contains([]float64{1, 2, 3, 5, 10, 20, 30}, size) {
			c.text("small", middle, x.at(math.Log(size)), y.left+16, strconv.FormatFloat(size, 'f', -1, 64)+" %")
		}
	}
	c.text("small", middle, (x.left+x.right)/2, y.left+33, xLabel)
	for _, curve := range curves {
		points := make([]string, len(curve.Y))
		for i, v := range curve.Y {
			points[i] = n(x.at(math.Log(sizes[i]))) + " " + n(y.at(v))
		}
		c.WriteString(`<path class="curve ` + curve.Class + `" d="M` + strings.Join(points, "L") + `"/>`)
	}
	names := slices.Clone(curves)
	slices.SortStableFunc(names, func(a, b Curve) int { return cmp.Compare(floats.Sum(b.Y), floats.Sum(a.Y)) })
	for i, curve := range names {
		c.text("strong "+curve.Class, end, x.right-4, y.left-12-18*float64(len(names)-1-i), curve.Name)
	}
	p.body = c.String()
	return p
}
