package doctor

import (
	"fmt"
	"io"
	"strings"
)

// A Report is the result of all checks of a machine.
type Report struct {
	Findings []Finding `json:"findings"`
}

// names are as wide as the longest name of Checks, plus two spaces.
const nameWidth = 12

// WriteText prints the answer, then problems and unknowns, or all findings with all. Lines have at most width
// columns, except commands.
func (r Report) WriteText(w io.Writer, all bool, width int) error {
	var b strings.Builder
	b.WriteString(wrap(r.answer(), 0, width))
	r.findings(&b, all, width)
	_, err := io.WriteString(w, b.String())
	return err
}

// answer is the first line.
func (r Report) answer() string {
	fix, given := len(r.in(Fix)), len(r.in(Given))
	text := "Nothing to fix here"
	switch {
	case fix == 1:
		text = "1 thing makes this machine noisy and can be fixed"
	case fix > 1:
		text = fmt.Sprintf("%d things make this machine noisy and can be fixed", fix)
	}
	switch {
	case given > 0 && fix > 0:
		text += fmt.Sprintf("; %d cannot", given)
	case given == 1:
		text += "; 1 thing makes this machine noisy and cannot be fixed from inside it"
	case given > 1:
		text += fmt.Sprintf("; %d things make this machine noisy and cannot be fixed from inside it", given)
	}
	if n := len(r.in(Unknown)); n > 0 {
		text += fmt.Sprintf("; %d not known", n)
	}
	text += fmt.Sprintf("; %d fine.", len(r.in(Fine)))
	return text
}

// in returns the findings in a state.
func (r Report) in(state State) (found []Finding) {
	for _, f := range r.Findings {
		if f.State == state {
			found = append(found, f)
		}
	}
	return found
}

// shown limits the things to fix without -all, so that the report fits on a screen.
const shown = 6

// findings prints problems that can be fixed, problems that cannot, and unknowns. With all it also prints
// what is fine.
func (r Report) findings(b *strings.Builder, all bool, width int) {
	if fix := r.in(Fix); len(fix) > 0 {
		b.WriteString("\nTo fix; a cost is named where it was measured\n")
		var rest []string
		for i, f := range fix {
			if i >= shown && !all {
				rest = append(rest, f.Name)
			} else {
				f.text(b, all, width)
			}
		}
		if len(rest) > 0 {
			b.WriteString(column("and", strings.Join(rest, ", ")+" (-all)", width))
		}
	}
	if given := r.in(Given); len(given) > 0 {
		b.WriteString("\nCannot be mended from inside this machine\n")
		for _, f := range given {
			f.text(b, all, width)
		}
	}
	if unknown := r.in(Unknown); len(unknown) > 0 {
		b.WriteString("\nNot known\n")
		var names []string
		for _, f := range unknown {
			names = append(names, f.Name)
			if all {
				f.text(b, all, width)
			}
		}
		if !all {
			b.WriteString(column("?", strings.Join(names, ", ")+" (-all says why)", width))
		}
	}
	if all {
		b.WriteString("\nFine\n")
		for _, f := range r.in(Fine) {
			b.WriteString(column(f.Name, f.Seen, width))
		}
	}
}

// text prints a finding, in full or briefly, with its command.
func (f Finding) text(b *strings.Builder, all bool, width int) {
	text := f.Seen + ": " + f.Why
	if f.State == Unknown {
		text = "? " + f.Seen + "; matters since: " + f.Why
	}
	if all || f.Cost != notMeasured {
		text += "; cost: " + f.Cost
	}
	b.WriteString(column(f.Name, text, width))
	if f.Fix != "" {
		prompt := "$ "
		if strings.HasPrefix(f.Fix, "#") {
			prompt = ""
		}
		fmt.Fprintf(b, "  %-*s%s%s\n", nameWidth, "", prompt, f.Fix)
	}
}

// column prints a name and, beside it, a wrapped text.
func column(name, text string, width int) string {
	indent := nameWidth + 2
	return fmt.Sprintf("  %-*s", nameWidth, name) + strings.TrimLeft(wrap(text, indent, width), " ")
}

// wrap breaks a text at spaces into indented lines of at most this width.
func wrap(text string, indent, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		used := 0
		for _, word := range strings.Split(strings.TrimSpace(line), " ") {
			switch n := len([]rune(word)); {
			case used == 0:
				b.WriteString(strings.Repeat(" ", indent) + word)
				used = indent + n
			case used+1+n > width:
				b.WriteString("\n" + strings.Repeat(" ", indent) + word)
				used = indent + n
			default:
				b.WriteString(" " + word)
				used += 1 + n
			}
		}
		b.WriteString("\n")
	}
	return strings.ReplaceAll(b.String(), noBreak, " ")
}

// noBreak is a space at which no line is broken.
const noBreak = "\u00a0"
