package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
)

// writeText writes for a terminal of 150 columns: the answer, a table per scenario, then the
// warnings.
func writeText(out io.Writer, records []record.Record) error {
	w := bufio.NewWriter(out)
	records, sentences, ranks := opening(records)
	for _, s := range sentences {
		fmt.Fprintln(w, wrap(s))
	}
	fmt.Fprintln(w)
	for _, t := range slices.Concat(ranks, parts(records), tables(records)) {
		text(w, t)
	}
	for _, d := range answer.Warnings(records) {
		fmt.Fprintln(w, wrap(mark+" "+d.Line(records)))
	}
	for _, s := range closing(records, ranks) {
		fmt.Fprintln(w, wrap(s))
	}
	return w.Flush()
}

// opening is the answer, the conditions of the run, and the tables of ranks. It returns the records that count.
func opening(records []record.Record) (calm []record.Record, sentences []string, ranks []table) {
	records, left := rank.Calm(records)
	sentences, ranks = rankings(records)
	for _, l := range left {
		sentences = append(sentences, l.String()+".")
	}
	if records[0].Run.Quick {
		sentences = append(sentences, answer.Shortened)
	}
	return records, append(sentences, answer.Conditions(records)), ranks
}

// closing explains the figures and ties, and names the origin of the numbers.
func closing(records []record.Record, ranks []table) []string {
	lines := []string{answer.SpreadMeans(records)}
	if len(ranks) > 0 && answer.Rounds(records) > 1 {
		lines = append(lines, rank.TieRule)
	}
	return append(lines, answer.Provenance(records))
}

// plainly makes the output of a writer safe for terminals.
func plainly(write writer) writer {
	return func(w io.Writer, records []record.Record) error {
		var b strings.Builder
		if err := write(&b, records); err != nil {
			return err
		}
		_, err := io.WriteString(w, answer.Plain(b.String()))
		return err
	}
}

// width of terminals and logs, in columns.
const width = 150

// wrap breaks a line between words; a line that follows is indented.
func wrap(text string) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = " "
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}

func text(w *bufio.Writer, t table) {
	fmt.Fprintln(w, t.title)
	var lines [][]string
	names := len(t.head[0])
	for _, r := range t.rows {
		names = max(names, utf8.RuneCountInString(r.cells[0].text))
	}
	lines = append(lines, heads(t, names)...)
	for _, r := range t.rows {
		if r.apart && len(t.rows) > 1 {
			lines = append(lines, nil)
		}
		var cells []string
		for _, c := range r.cells {
			cells = append(cells, c.short())
		}
		lines = append(lines, cells)
	}
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, line := range lines {
		if line == nil {
			// A line without a cell would end the columns.
			line = make([]string, len(t.head))
			line[0] = strings.Repeat("-", names)
		}
		// tabwriter aligns all cells alike; the names are padded here to stand at the left.
		fmt.Fprintf(tw, "%-*s\t%s\t\n", names, line[0], strings.Join(line[1:], "\t"))
	}
	tw.Flush() // a Builder never fails
	for line := range strings.Lines(b.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
	if t.note != "" {
		fmt.Fprintln(w, "  "+wrap(t.note))
	}
	fmt.Fprintln(w)
}

// short is a cell with its spread, where there is room.
func (c cell) short() string {
	if c.spread == "" || c.narrow {
		return c.text
	}
	return c.text + " (" + strings.Replace(c.spread, " to ", "-", 1) + ")"
}

// heads breaks the labels of a table into lines no wider than their columns.
func heads(t table, names int) [][]string {
	var lines [][]string
	for i, label := range t.head {
		width := 6
		for _, r := range t.rows {
			width = max(width, utf8.RuneCountInString(r.cells[i].short()))
		}
		if i == 0 {
			width = names
		}
		at, line := 0, ""
		put := func() {
			if at == len(lines) {
				lines = append(lines, make([]string, len(t.head)))
			}
			lines[at][i] = line
			at, line = at+1, ""
		}
		for _, word := range strings.Fields(label) {
			if line != "" && len(line)+1+len(word) > width {
				put()
			}
			line = strings.TrimSpace(line + " " + word)
		}
		put()
	}
	return lines
}
