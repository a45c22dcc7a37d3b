package svg

import (
	"fmt"
	"strings"
)

// A Theme has its colours.
type Theme string

// Auto follows the settings of the reader.
const (
	Auto  Theme = ""
	Light Theme = "light"
	Dark  Theme = "dark"
)

// A Colour has a name, which is also a class, and a value in each theme.
type Colour struct{ Name, Light, Dark string }

// Colours are all colours of the pictures and the site. A language has the same hue in both themes. Worse, better and
// leaning belong to verdicts alone.
var Colours = []Colour{
	{"paper", "#ffffff", "#0d1117"},
	{"ink", "#1f2328", "#e6edf3"},
	{"soft", "#59636e", "#9198a1"},
	{"line", "#d0d7de", "#3d444d"},
	{"band", "#f3f5f7", "#161c24"},
	{"worse", "#b3261e", "#ff8a80"},
	{"better", "#0f6b3c", "#6fd39b"},
	{"leaning", "#7d5700", "#e3b341"},
	{"rust", "#a84a00", "#f2994a"},
	{"go", "#00728a", "#4fc3dc"},
	{"bun", "#6b3fc9", "#b79bff"},
	{"node", "#3d7a1c", "#8ccf63"},
	{"python", "#6b6400", "#cfc24a"},
	{"cpp", "#a3216e", "#f28ac1"},
	{"other", "#59636e", "#9198a1"},
}

// Hue is the class of a language.
func Hue(language string) string {
	switch language {
	case "rust", "go", "bun", "node", "python":
		return language
	case "c++":
		return "cpp"
	}
	return "other"
}

// style is the style sheet of a picture that stands alone.
func (t Theme) style() string {
	switch t {
	case Light:
		return variables(false) + Rules()
	case Dark:
		return variables(true) + Rules()
	}
	return variables(false) + "@media (prefers-color-scheme:dark){" + variables(true) + "}" + Rules()
}

func variables(dark bool) string {
	var b strings.Builder
	b.WriteString("svg{")
	for _, c := range Colours {
		value := c.Light
		if dark {
			value = c.Dark
		}
		fmt.Fprintf(&b, "--%s:%s;", c.Name, value)
	}
	return b.String() + "}"
}

// SiteStyle is the part of the site's style sheet that pictures and pages share.
func SiteStyle() string {
	var b strings.Builder
	b.WriteString("/* Made from scripts/internal/show/svg/colours.go. */\n:root {\n")
	for _, c := range Colours {
		fmt.Fprintf(&b, "  --%s: light-dark(%s, %s);\n", c.Name, c.Light, c.Dark)
	}
	b.WriteString("}\n")
	for _, c := range Colours[firstHue:] {
		fmt.Fprintf(&b, "tbody th.%[1]s::before{content:'';background:var(--%[1]s)}\n", c.Name)
	}
	return b.String() + Rules()
}

// Places in Colours: of the first that belongs to data, and of the first language.
const firstOfData, firstHue = 5, 8

// Rules give the classes of pictures their looks, from the colours of the page.
func Rules() string {
	var b strings.Builder
	b.WriteString(rules)
	for _, c := range Colours[firstOfData:] {
		fmt.Fprintf(&b, "svg text.%[1]s,svg circle.%[1]s,svg rect.%[1]s{fill:var(--%[1]s)}\nsvg path.%[1]s{stroke:var(--%[1]s)}\n", c.Name)
	}
	return b.String()
}

const rules = `
svg text{font:12.5px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:var(--ink)}
svg .small{font-size:11px;fill:var(--soft)}
svg .quiet{fill:var(--soft)}
svg .strong{font-weight:600}
svg .answer{font-size:26px;font-weight:700}
svg .answer.long{font-size:17px}
svg rect.paper{fill:var(--paper)}
svg rect.band{fill:var(--band)}
svg rect.card{fill:none;stroke:var(--line)}
svg path{fill:none;stroke-width:1}
svg path.quiet{stroke:var(--soft)}
svg circle.quiet{fill:var(--soft)}
svg path.grid{stroke:var(--line)}
svg path.axis{stroke:var(--soft)}
svg path.interval{stroke-width:5;stroke-linecap:round;opacity:.4}
svg path.ink{stroke:var(--ink)}
svg line.grid{stroke:var(--line)}
svg line.axis{stroke:var(--soft)}
svg svg{overflow:visible}
svg.history,svg.ribbon{overflow:visible}
svg svg path{vector-effect:non-scaling-stroke}
svg path.points{stroke-width:4;stroke-linecap:round;opacity:.7}
svg path.level{stroke-width:1.5;opacity:.7}
svg path.level.now{stroke-width:3;opacity:1}
svg rect.right{fill:var(--ink)}
svg rect.sized{fill:var(--soft)}
svg rect.missed{fill:var(--line)}
svg rect.range{opacity:.14}
svg path.flag{stroke-width:1.5}
svg path.flag.quiet,svg path.reference{stroke-dasharray:4 3}
svg circle.round{opacity:.6}
svg rect.flame{opacity:.55}
svg rect.flame.slightly{opacity:.25}
svg rect.flame.quiet{fill:var(--line)}
svg .frame text.small{fill:var(--ink)}
svg .frame.pale{opacity:.2}
@media (max-width:40rem){svg .name{font-size:11px}svg .wide{display:none}}
`
