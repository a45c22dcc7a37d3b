package svg

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

// luminance is that of WCAG 2, of a colour such as #1f2328.
func luminance(hex string) float64 {
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := channel(hex, i) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// channel is red, green or blue of a colour, up to 255.
func channel(hex string, i int) float64 {
	v, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
	if err != nil {
		panic(err)
	}
	return float64(v)
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Every colour of data may be that of a text, which needs 4.5:1 on paper, and on the band behind tied servers.
func TestTextCanBeReadInEveryColour(t *testing.T) {
	paper, band := Colours[0], Colours[4]
	for _, c := range Colours {
		if c.Name == "paper" || c.Name == "band" || c.Name == "line" {
			continue
		}
		for _, on := range []Colour{paper, band} {
			if light, dark := contrast(c.Light, on.Light), contrast(c.Dark, on.Dark); light < 4.5 || dark < 4.5 {
				t.Errorf("%s on %s: %.1f, dark %.1f; want 4.5", c.Name, on.Name, light, dark)
			}
		}
	}
}

// A language has the same hue in both themes, within 20 degrees.
func TestALanguageHasOneHue(t *testing.T) {
	for _, c := range Colours {
		if Hue(c.Name) == "other" && c.Name != "cpp" {
			continue
		}
		if d := math.Abs(hue(c.Light) - hue(c.Dark)); min(d, 360-d) > 20 {
			t.Errorf("%s: hue %.0f, dark %.0f", c.Name, hue(c.Light), hue(c.Dark))
		}
	}
}

// hue is in degrees.
func hue(hex string) float64 {
	var c [3]float64
	for i := range c {
		c[i] = channel(hex, i)
	}
	most, least := max(c[0], c[1], c[2]), min(c[0], c[1], c[2])
	var h float64
	switch span := most - least; most {
	case c[0]:
		h = (c[1] - c[2]) / span
	case c[1]:
		h = 2 + (c[2]-c[0])/span
	default:
		h = 4 + (c[0]-c[1])/span
	}
	return math.Mod(60*h+360, 360)
}

func TestTicksAreRoundAndHaveRoom(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{1, 2.3, "[1 2 1.5 1.2]"},
		{0.7, 1, "[1 0.7 0.8 0.9]"},
		{1, 40, "[1 2 5 10 20]"},
		{1, 1, "[1]"},
	} {
		if got := fmt.Sprint(ratioTicks(scale{math.Log(c.low), math.Log(c.high), 0, 200})); got != c.want {
			t.Errorf("from %g to %g: %s, want %s", c.low, c.high, got, c.want)
		}
	}
	if got := fmt.Sprint(linearTicks(-48, 48, 4)); got != "[-40 -20 0 20 40]" {
		t.Error(got)
	}
}

// Names and figures come from outside.
func TestTextsCannotBreakAPicture(t *testing.T) {
	const evil = `<script>"&'`
	pictures := []Picture{
		Cards(274, evil, Card{evil, evil, evil, []Dot{{evil, evil, evil, "go", 1, 1, 1, true}, {evil, evil, evil, "go", 1, 2, 3, true}}, []Mark{{evil, evil, 2}}}),
		Stack(Forest(400, evil, evil, "worse", evil, " %", 100, []Group{{evil, "worse", []Change{{evil, evil, evil, evil, -500, 5, 900, 3, nil}}}})),
		Strip(100, "worse", Change{evil, evil, evil, evil, -500, 5, 900, 3, []float64{1, 700}}),
		History(evil, 9, Track{evil, "go", evil, []Point{{1, 2}, {8, 3}}, []Level{{0, 8, 2, 1, 3, evil}}}, []Track{{evil, "go", evil, nil, []Level{{0, 8, 2, 2, 2, evil}}}}, []Flag{{3, evil, evil, "worse"}}, []Tick{{1, evil}}, func(float64) string { return evil }),
		Ribbon(evil, 9, []Flag{{3, evil, evil, "worse"}, {5, evil, evil, "quiet"}}),
		Shares(400, evil, []Key{{"right", evil}}, []Share{{evil, []Part{{"right", 3}, {"missed", 0}}, evil}}),
	}
	for _, p := range pictures {
		for _, text := range []string{p.Inline(), p.Alone(Auto), p.Alone(Dark)} {
			if slices.Contains(testfile.Elements(t, text), "script") {
				t.Errorf("a script in %s", text)
			}
			if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Errorf("no number in %s", text)
			}
		}
	}
}

func TestAPictureInAPageHasNoColours(t *testing.T) {
	p := Cards(274, "", Card{Question: "q", Answer: "a", Dots: []Dot{{Hue: "go", Low: 1, Mid: 1, High: 1}}})
	if text := p.Inline(); strings.Contains(text, "<style") || strings.Contains(text, "#") || strings.Contains(text, "style=") {
		t.Error(text)
	}
	if text := p.Alone(Light); !strings.Contains(text, "--go:#00728a") || strings.Contains(text, "prefers-color-scheme") {
		t.Error(text)
	}
	if text := p.Alone(Auto); strings.Count(text, "--go:#") != 2 {
		t.Error(text)
	}
}

// The site has the colours of the pictures.
func TestTheSiteHasTheColours(t *testing.T) {
	testfile.Check(t, "../../../../gh-pages/src/frame/colours.css", []byte(SiteStyle()))
}

// A reference is a dashed line through the rows of the servers, with its name below them.
func TestAMarkIsALineThroughAllRows(t *testing.T) {
	p := Dots(300, "", []Dot{{Name: "a", Low: 1, Mid: 1, High: 1}, {Name: "b", Low: 2, Mid: 2, High: 2}}, Mark{Name: "nginx", Figure: "50", Ratio: 0.5})
	text := p.Inline()
	if line := regexp.MustCompile(`class="reference quiet" d="M([\d.]+) 0[HLV]`); !line.MatchString(text) || !strings.Contains(text, ">nginx<") || !strings.Contains(text, "0.5×") {
		t.Error(text)
	}
	if without := Dots(300, "", []Dot{{Name: "a", Low: 1, Mid: 1, High: 1}}); p.Height != without.Height+2*row {
		t.Errorf("height %g, and %g without two rows", p.Height, without.Height)
	}
}

// A band lies behind the servers that are tied with the first, and not behind one between them.
func TestTheBandIsBehindTiedServers(t *testing.T) {
	of := func(tied ...bool) (all []string) {
		var dots []Dot
		for _, t := range tied {
			dots = append(dots, Dot{Name: "a", Low: 1, Mid: 1, High: 1, Tied: t})
		}
		for _, m := range regexp.MustCompile(`class="band" x="0" y="(\d+)" width="100" height="(\d+)"`).FindAllStringSubmatch(Dots(100, "", dots).Inline(), -1) {
			all = append(all, m[1]+"+"+m[2])
		}
		return all
	}
	for _, c := range []struct{ got, want []string }{
		{of(true, false, false), nil}, {of(true, true, false), []string{"0+48"}}, {of(true, false, true), []string{"0+24", "48+24"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("bands %q, want %q", c.got, c.want)
		}
	}
}

// Servers that hardly differ have dots that nearly touch.
func TestASmallDifferenceLooksSmall(t *testing.T) {
	for _, ratio := range []float64{0.997, 1, 1.003} {
		p := Dots(300, "", []Dot{{Name: "a", Low: 1, Mid: 1, High: 1}, {Name: "b", Low: ratio, Mid: ratio, High: ratio}})
		var at []float64
		for _, m := range regexp.MustCompile(`cx="([\d.]+)"`).FindAllStringSubmatch(p.Inline(), -1) {
			v, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, v)
		}
		if len(at) != 2 || math.Abs(at[0]-at[1]) > 12 {
			t.Errorf("%g: dots at %v", ratio, at)
		}
	}
}
