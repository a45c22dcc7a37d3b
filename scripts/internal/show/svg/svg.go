// Package svg draws the pictures of results: rankings, changes and shares. A picture has classes instead of
// colours, so it follows the theme of the page around it. A picture that stands alone brings its own colours.
// The package knows nothing of servers or records.
package svg

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Picture is Width by Height pixels.
type Picture struct {
	Width, Height float64
	Label         string  // the picture in words, for people who cannot see it
	fluid         string  // a class: on a page it is as wide as its place, and its texts keep their size; "": it has one size
	left          float64 // how far it goes to the left of 0
	body          string
}

// Inline is the picture for a page with the colours of Colours.
func (p Picture) Inline() string {
	if p.fluid != "" {
		return fmt.Sprintf(`<svg class="%s" width="100%%" height="%s" role="img" aria-label="%s">`, p.fluid, n(p.Height), escape(p.Label)) + p.body + "</svg>"
	}
	return p.open() + p.body + "</svg>"
}

// Alone is the picture as a file, in the colours of a theme and on paper.
func (p Picture) Alone(t Theme) string {
	p.body = strings.Replace(p.body, plotFluid, plotAlone, 1)
	return p.open() + "\n<style>" + t.style() + "</style>\n" +
		fmt.Sprintf(`<rect class="paper" x="%s" width="%s" height="%s"/>`, n(-p.left), n(p.Width), n(p.Height)) + "\n" + p.body + "</svg>\n"
}

func (p Picture) open() string {
	class := ""
	if p.fluid != "" {
		class = ` class="` + p.fluid + `"`
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg"%[5]s viewBox="%[4]s 0 %[1]s %[2]s" width="%[1]s" height="%[2]s" role="img" aria-label="%[3]s">`,
		n(p.Width), n(p.Height), escape(p.Label), n(-p.left), class)
}

func escape(s string) string { return html.EscapeString(s) }

// Sizes of text, in pixels. They are those of the site.
const (
	big    = 26
	normal = 12.5
)

// A canvas collects elements. Coordinates are pixels from the top left.
type canvas struct{ strings.Builder }

// n is a coordinate with at most one decimal. Adding 0 makes 0 of -0.
func n(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10+0, 'f', -1, 64) }

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.Builder, `<path class="%s" d="M%s %sL%s %s"/>`, class, n(x1), n(y1), n(x2), n(y2))
}

func (c *canvas) dot(class string, x, y, r float64) {
	fmt.Fprintf(&c.Builder, `<circle class="%s" cx="%s" cy="%s" r="%s"/>`, class, n(x), n(y), n(r))
}

func (c *canvas) box(class string, x, y, width, height, corner float64) {
	fmt.Fprintf(&c.Builder, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" rx="%s"/>`, class, n(x), n(y), n(max(0, width)), n(height), n(corner))
}

// An anchor is the end of a text that stands at its x.
type anchor string

const (
	start  anchor = "start"
	middle anchor = "middle"
	end    anchor = "end"
)

func (c *canvas) text(class string, at anchor, x, y float64, s string) {
	if s != "" {
		fmt.Fprintf(&c.Builder, `<text class="%s" text-anchor="%s" x="%s" y="%s">%s</text>`, class, at, n(x), n(y), escape(s))
	}
}

// put draws a picture at a place.
func (c *canvas) put(p Picture, x, y float64) {
	fmt.Fprintf(&c.Builder, `<g transform="translate(%s %s)">%s</g>`, n(x), n(y), p.body)
}

// widthOf is about how wide text is. Fonts differ, so it is rather too much.
func widthOf(s string, size float64) float64 { return 0.58 * size * float64(utf8.RuneCountInString(s)) }

// lines breaks text between words so that it fits.
func lines(s string, size, width float64) (all []string) {
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && widthOf(line+" "+word, size) > width {
			all, line = append(all, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(all, line)
}
