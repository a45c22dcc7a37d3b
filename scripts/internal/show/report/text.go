package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
)

// Text says what the text format shows. Without any choice it is the answer: one row a server.
type Text struct {
	Full  bool   // all tables, and the notes
	Notes bool   // warnings, conditions, rules and versions
	Show  string // the tables of this scenario
	Width int    // columns of the terminal
}

// logWidth is that of a log, in columns.
const logWidth = 100

// Write writes records of one run.
func (o Text) Write(out io.Writer, records []record.Record) error {
	if err := check(records, "text"); err != nil {
		return err
	}
	return plainly(o.write)(out, records)
}

func (o Text) write(out io.Writer, records []record.Record) error {
	w := bufio.NewWriter(out)
	o.Width = max(60, o.Width)
	all := records
	records, left := calm(records)
	var tables []table
	switch {
	case o.Full:
		tables = slices.Concat(rankTablesOf(records), parts(records), frameworks(records), scenarioTables(records))
	case o.Show != "":
		for _, t := range scenarioTables(records) {
			if t.title == o.Show {
				tables = append(tables, t)
			}
		}
		if tables == nil {
			return InputError{fmt.Errorf("report: -show %s: the records have no such scenario; they have %s", o.Show, strings.Join(record.Scenarios(records), ", "))}
		}
	}
	if o.Full || o.Show == "" && !o.Notes {
		o.summary(w, records)
	}
	for _, t := range tables {
		o.table(w, t)
	}
	if o.Full || o.Notes {
		o.paragraphs(w, notes(records, left))
	} else if short := shortNotes(all, left); short != "" {
		o.paragraphs(w, []string{short})
	}
	return w.Flush()
}

// summary is what most readers want: the three answers, and one row a server.
func (o Text) summary(w *bufio.Writer, records []record.Record) {
	fmt.Fprintln(w, o.wrap(answer.Subject(records)))
	fmt.Fprintln(w)
	places := answer.Places(records)
	question, winners := 0, 0
	for _, p := range places {
		question, winners = max(question, len(p.Question)), max(winners, utf8.RuneCountInString(p.Winners))
	}
	for _, p := range places {
		indent := strings.Repeat(" ", question+winners+6)
		lines := strings.Split(Wrap(strings.TrimSpace(p.Sure+" "+p.Next), o.Width-len(indent)), "\n")
		fmt.Fprintf(w, "  %-*s  %-*s  %s\n", question, p.Question, winners, p.Winners, lines[0])
		for _, line := range lines[1:] {
			fmt.Fprintln(w, indent+strings.TrimSpace(line))
		}
	}
	if len(places) > 0 {
		fmt.Fprintln(w)
	}
	o.table(w, summaryTable(records))
}

// paragraphs writes texts, a paragraph each.
func (o Text) paragraphs(w *bufio.Writer, all []string) {
	for _, text := range all {
		fmt.Fprintln(w, o.wrap(text))
	}
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

func (o Text) wrap(text string) string { return Wrap(text, o.Width) }

// Wrap breaks a line between words; a line that follows is indented.
func Wrap(text string, width int) string {
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

// table writes a table. Columns that have no room follow below, beside the names again. Those of a narrow table are left out.
func (o Text) table(w *bufio.Writer, t table) {
	if t.title != "" {
		fmt.Fprintln(w, t.title)
	}
	for first := 1; first < len(t.head); {
		last := first + 1
		text := t.part(first, last)
		for last < len(t.head) {
			more := t.part(first, last+1)
			if slices.ContainsFunc(more, func(line string) bool { return utf8.RuneCountInString(line) > o.Width }) {
				break
			}
			text, last = more, last+1
		}
		if first > 1 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, strings.Join(text, "\n"))
		if t.narrow && last < len(t.head) {
			fmt.Fprintln(w, "  "+Wrap("No room for "+strings.Join(t.head[last:], ", ")+". -full has them.", o.Width-2))
			break
		}
		first = last
	}
	if t.note != "" {
		fmt.Fprintln(w, "  "+Wrap(t.note, o.Width-2))
	}
	fmt.Fprintln(w)
}

// part is the table with the columns from first to before last, beside the names, as lines.
func (t table) part(first, last int) []string {
	names := len(t.head[0])
	for _, r := range t.rows {
		names = max(names, utf8.RuneCountInString(r.cells[0].text))
	}
	lines := heads(t, names, first, last)
	for _, r := range t.rows {
		if r.apart && len(t.rows) > 1 {
			lines = append(lines, nil)
		}
		cells := []string{r.cells[0].text}
		for _, c := range r.cells[first:last] {
			cells = append(cells, c.short())
		}
		lines = append(lines, cells)
	}
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, line := range lines {
		if line == nil {
			// A line without a cell would end the columns.
			line = make([]string, 1+last-first)
			line[0] = strings.Repeat("-", names)
		}
		// tabwriter aligns all cells alike; the names are padded here to stand at the left.
		fmt.Fprintf(tw, "%-*s\t%s\t\n", names, line[0], strings.Join(line[1:], "\t"))
	}
	tw.Flush() // a Builder never fails
	var text []string
	for line := range strings.Lines(b.String()) {
		text = append(text, strings.TrimRight(line, " \n"))
	}
	return text
}

// short is a cell with its spread, where there is room.
func (c cell) short() string {
	if c.spread == "" || c.narrow {
		return c.text
	}
	return c.text + " (" + strings.Replace(c.spread, " to ", "-", 1) + ")"
}

// heads breaks the labels of some columns into lines no wider than their columns.
func heads(t table, names, first, last int) [][]string {
	var lines [][]string
	for at := range 1 + last - first {
		i := at + first - 1
		if at == 0 {
			i = 0
		}
		width := 6
		for _, r := range t.rows {
			width = max(width, utf8.RuneCountInString(r.cells[i].short()))
		}
		if i == 0 {
			width = names
		}
		row, line := 0, ""
		put := func() {
			if row == len(lines) {
				lines = append(lines, make([]string, 1+last-first))
			}
			lines[row][at] = line
			row, line = row+1, ""
		}
		for _, word := range strings.Fields(t.head[i]) {
			if line != "" && len(line)+1+len(word) > width {
				put()
			}
			line = strings.TrimSpace(line + " " + word)
		}
		put()
	}
	return lines
}
