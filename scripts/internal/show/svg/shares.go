package svg

// A Share is a row of counts, which fill the width together. A part has a class.
type Share struct {
	Name  string
	Parts []Part
	Text  string // at the end of the row
}

// A Part is a count of a row.
type Part struct {
	Class string
	Count int
}

// Sizes of shares.
const shareRow, shareText = 24, 60

// Shares draws a bar for each row. The keys, on top, say what a class means.
func Shares(width float64, label string, keys []Key, rows []Share) Picture {
	p := Picture{Width: width, Height: shareRow * float64(len(rows)+1), Label: label}
	var c canvas
	x := 0.0
	for _, k := range keys {
		c.box(k.Class, x, 3, 11, 11, 2)
		c.text("small", start, x+16, 13, k.Means)
		x += 34 + widthOf(k.Means, 11)
	}
	names := 0.0
	for _, r := range rows {
		names = max(names, 12+widthOf(r.Name, 13))
	}
	for i, r := range rows {
		y := shareRow * float64(i+1)
		c.text("", start, 0, y+15, r.Name)
		sum := 0
		for _, part := range r.Parts {
			sum += part.Count
		}
		x, unit := names, (width-names-shareText)/float64(max(1, sum))
		for _, part := range r.Parts {
			if part.Count > 0 {
				c.box(part.Class, x, y+4, unit*float64(part.Count), 14, 1)
				x += unit * float64(part.Count)
			}
		}
		c.text("small", end, width, y+15, r.Text)
	}
	p.body = c.String()
	return p
}

// A Key says what a class means.
type Key struct{ Class, Means string }
