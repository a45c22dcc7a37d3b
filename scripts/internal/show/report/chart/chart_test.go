package chart

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
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

func TestUndrawableDetailsAreAnError(t *testing.T) {
	for name, l := range map[string]Lines{
		"nothing":   {Series: []Series{{Name: "a"}}},
		"no number": {Series: []Series{{Name: "a", X: []float64{1}, Y: []float64{math.NaN()}}}},
	} {
		l.Size = 9
		if err := PNG(&bytes.Buffer{}, 200, 100, "title", nil, l); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPNGHasItsSize(t *testing.T) {
	d := Dots{Title: "t", Label: "x", Size: 12, Dots: []Dot{{Name: "a", Label: "5", Style: Ink, Low: 4, Mid: 5, High: 7}, {Name: "b", Style: Ink, Low: 1, Mid: 1, High: 1}}}
	l := Lines{Size: 12, XTicks: map[float64]string{1: "1", 10: "10"}, Series: []Series{{Name: "a", Style: Ink, X: []float64{1, 10, 100}, Y: []float64{0.5, 5, 50}}}}
	f := Forest{Most: 100, Size: 12, Changes: []Change{{Name: "a", Label: "+3 %", Style: Worse, Low: -300, Mid: 3, High: math.Inf(1), Margin: 2}}}
	if f.limit() != 3.75 {
		t.Errorf("the axis goes to %g, want 1.25 times the change", f.limit())
	}
	var b bytes.Buffer
	if err := PNG(&b, 800, 450, "title", []string{"one", "two"}, d, l, f); err != nil {
		t.Fatal(err)
	}
	if image, err := png.Decode(&b); err != nil || image.Bounds().Dx() != 1600 || image.Bounds().Dy() != 900 {
		t.Errorf("%v, %v", err, image.Bounds())
	}
}
