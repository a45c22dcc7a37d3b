package trial

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// A function is a top-level function of a file, with its comments: the lines from begin to end. Its own first
// line is at.
type function struct {
	name           string
	begin, at, end int
	private        bool
}

// functions finds the top-level functions of a file.
func (l language) functions(lines []string) (all []function) {
	for i := 0; i < len(lines); i++ {
		m := l.function.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		f := function{name: m[1], begin: i, at: i, end: i + 1, private: l.private(lines[i])}
		for f.begin > 0 && l.belongs.MatchString(lines[f.begin-1]) {
			f.begin--
		}
		for f.end < len(lines) && strings.TrimRight(lines[f.end-1], "\n") != "}" {
			f.end++
		}
		all = append(all, f)
		i = f.end - 1
	}
	return all
}

// swap swaps a function with the next one if only empty lines separate them.
func swap(l language, code string, random *rand.Rand) (changed, what string) {
	lines := strings.SplitAfter(code, "\n")
	all := l.functions(lines)
	if len(all) < 2 {
		return "", ""
	}
	i := random.IntN(len(all) - 1)
	a, b := all[i], all[i+1]
	if strings.TrimSpace(strings.Join(lines[a.end:b.begin], "")) != "" {
		return "", ""
	}
	join := func(from, to int) string { return strings.Join(lines[from:to], "") }
	second := join(b.begin, b.end)
	if !strings.HasSuffix(second, "\n") {
		return "", ""
	}
	return join(0, a.begin) + second + join(a.end, b.begin) + join(a.begin, a.end) + join(b.end, len(lines)), a.name + " and " + b.name + " swapped"
}

// addUnused adds an unused function before another one.
func addUnused(l language, code string, random *rand.Rand) (changed, what string) {
	lines := strings.SplitAfter(code, "\n")
	all := l.functions(lines)
	if len(all) == 0 {
		return "", ""
	}
	before := all[random.IntN(len(all))]
	name := fmt.Sprintf("unused%d", random.IntN(1000))
	if strings.Contains(code, name) {
		return "", ""
	}
	added := fmt.Sprintf(l.unused, name, 3+2*random.IntN(1000)) + "\n"
	return strings.Join(lines[:before.begin], "") + added + strings.Join(lines[before.begin:], ""), name + " added before " + before.name
}

// rename renames a private function and its calls. It skips a name that also has another use: a field, a
// method, a key, or code inside a template.
func rename(l language, code string, random *rand.Rand) (changed, what string) {
	all := l.functions(strings.SplitAfter(code, "\n"))
	if len(all) == 0 {
		return "", ""
	}
	f := all[random.IntN(len(all))]
	if !f.private || f.name == "main" || f.name == "init" {
		return "", ""
	}
	name := fmt.Sprintf("%s%d", f.name, random.IntN(1000))
	word := regexp.MustCompile(`\b` + f.name + `\b`)
	other := regexp.MustCompile(`\.\s*` + f.name + `\b|\b` + f.name + `\s*:|\$\{[^}]*\b` + f.name + `\b|\b(?:mod|use) [^;]*\b` + f.name + `\b`)
	// Texts and comments stay as they are.
	apart := l.hidden.FindAllStringIndex(code, -1)
	var out, bare strings.Builder
	from := 0
	for _, at := range append(apart, []int{len(code), len(code)}) {
		part := code[from:at[0]]
		bare.WriteString(part)
		out.WriteString(word.ReplaceAllString(part, name))
		text := code[at[0]:at[1]]
		if strings.HasPrefix(text, "`") {
			bare.WriteString(text)
		}
		out.WriteString(text)
		from = at[1]
	}
	if strings.Contains(code, name) || other.MatchString(bare.String()) {
		return "", ""
	}
	return out.String(), f.name + " renamed to " + name
}
