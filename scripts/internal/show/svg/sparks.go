package svg

import "math"

// A SparkRow is how some figures of one thing moved, a spark for each column.
type SparkRow struct {
	Name, Note string
	Hue        string // a class
	Sparks     []Spark
}

// A Spark is a figure after each step, as a ratio to the first. Text is the newest change, and Class its verdict.
type Spark struct {
	Points      []Ratio
	Text, Class string
}

// A Ratio has an interval, and the class of its verdict.
type Ratio struct {
	Low, Mid, High float64
	Class          string
}

// Sizes of sparks. A ratio beyond the limit is drawn at the edge, since its text has it.
const (
	sparkName, sparkWidth, sparkText = 214, 96, 62
	sparkRow                         = 38
	sparkLimit                       = 1.3
	sparkHead                        = 26
)

// Sparks draws a row for each thing. All have the same logarithmic axis, so that equal changes look equal.
func Sparks(label string, columns []string, rows []SparkRow) Picture {
	width := sparkName + float64(len(columns))*(sparkWidth+sparkText+16)
	p := Picture{Width: width, Height: sparkHead + sparkRow*float64(len(rows)) + 4, Label: label}
	var c canvas
	farthest := math.Log(1.1)
	for _, r := range rows {
		for _, s := range r.Sparks {
			for _, v := range s.Points {
				farthest = max(farthest, math.Abs(math.Log(v.Mid)))
			}
		}
	}
	farthest = min(farthest, math.Log(sparkLimit))
	left := func(column int) float64 { return sparkName + float64(column)*(sparkWidth+sparkText+16) }
	for i, name := range columns {
		c.text("quiet", start, left(i), 14, name)
	}
	for i, r := range rows {
		middleY := sparkHead + sparkRow*(float64(i)+0.5)
		c.text("strong "+r.Hue, start, 0, middleY-2, r.Name)
		c.text("small", start, 0, middleY+13, r.Note)
		y := scale{-farthest, farthest, middleY + sparkRow/2 - 4, middleY - sparkRow/2 + 4}
		at := func(ratio float64) float64 { return y.at(max(-farthest, min(farthest, math.Log(ratio)))) }
		for column, s := range r.Sparks {
			x := scale{0, float64(max(1, len(s.Points)-1)), left(column) + 4, left(column) + sparkWidth - 4}
			c.line("grid", x.left, middleY, x.right, middleY)
			for n, v := range s.Points {
				if n > 0 {
					c.line("level "+r.Hue, x.at(float64(n-1)), at(s.Points[n-1].Mid), x.at(float64(n)), at(v.Mid))
				}
				c.line("interval "+v.Class, x.at(float64(n)), at(v.Low), x.at(float64(n)), at(v.High))
				c.dot(v.Class, x.at(float64(n)), at(v.Mid), 2.5)
			}
			c.text(s.Class, start, left(column)+sparkWidth+6, middleY+4.5, s.Text)
		}
	}
	p.body = c.String()
	return p
}
