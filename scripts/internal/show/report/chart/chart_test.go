package chart

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"strings"
	"testing"
)

func TestEveryNameLooksDifferent(t *testing.T) {
	family := map[string]string{"direct": ""}
	for _, f := range []string{"bun", "go", "rust"} {
		for i := range 4 {
			family[fmt.Sprint(f, i)] = f
		}
	}
	styles, seen := Styles(family), map[string]string{}
	for name, s := range styles {
		look := fmt.Sprint(s.color, s.dash, fmt.Sprintf("%T", s.marker))
		if other := seen[look]; other != "" {
			t.Errorf("%s and %s look alike: %s", name, other, look)
		}
		seen[look] = name
		if f := family[name]; f != "" && s.color != styles[f+"0"].color {
			t.Errorf("%s has not the hue of its family", name)
		}
	}
}

func TestLinesAreDrawnAndTheirTextEscaped(t *testing.T) {
	line := Series{Name: "a", Style: Ink, X: []float64{1, 10, 100}, Y: []float64{0.5, 5, 50}}
	for name, l := range map[string]Lines{
		"linear":      {YLabel: "<y>", Series: []Series{line}},
		"logarithmic": {YLabel: "<y>", Series: []Series{line}, LogX: true, LogY: true, XTicks: map[float64]string{1: "0", 10: "90"}},
		"loose":       {YLabel: "<y>", Series: []Series{{Name: "a", Style: Ink, X: line.X, Y: line.Y, Loose: true}}, Shades: []Span{{1, 5}}},
		"one point":   {YLabel: "<y>", Series: []Series{{Name: "a", Style: Ink, X: []float64{3}, Y: []float64{0}}}},
	} {
		l.Width, l.Height, l.Size = 200, 100, 9
		got, err := Stack(`a "b" <c>`, l, l)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range []string{`<svg role="img" aria-label="a &quot;b&quot; &lt;c&gt;"`, "&lt;y&gt;", "</svg>"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %s in %s", name, want, got)
			}
		}
		if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
			t.Errorf("%s: a place that is no number: %s", name, got)
		}
	}
}

func TestWhatCannotBeDrawnIsAnError(t *testing.T) {
	for name, l := range map[string]Lines{
		"nothing":   {Series: []Series{{Name: "a"}}},
		"no number": {Series: []Series{{Name: "a", X: []float64{1}, Y: []float64{math.NaN()}}}},
	} {
		l.Width, l.Height, l.Size = 200, 100, 9
		if _, err := Stack("", l); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A logarithmic axis that has no two powers of ten needs other labels.
func TestLogTicks(t *testing.T) {
	for _, c := range []struct{ low, high float64 }{{0.02, 700}, {9.5, 11}, {1001, 1004}, {2, 30}} {
		labels := 0
		for _, tick := range logTicks(c.low, c.high) {
			if !tick.IsMinor() && tick.Value >= c.low && tick.Value <= c.high {
				labels++
			}
		}
		if labels < 2 {
			t.Errorf("%g to %g: %d labels, want 2 or more", c.low, c.high, labels)
		}
	}
}

func TestPNGHasItsSize(t *testing.T) {
	d := Dots{Title: "t", Label: "x", Size: 12, Dots: []Dot{{Name: "a", Label: "5", Style: Ink, Low: 4, Mid: 5, High: 7}, {Name: "b", Style: Ink, Low: 1, Mid: 1, High: 1}}}
	var b bytes.Buffer
	if err := PNG(&b, 800, 450, "title", []string{"one", "two"}, d, d); err != nil {
		t.Fatal(err)
	}
	if image, err := png.Decode(&b); err != nil || image.Bounds().Dx() != 1600 || image.Bounds().Dy() != 900 {
		t.Errorf("%v, %v", err, image.Bounds())
	}
}
