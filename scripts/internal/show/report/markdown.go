package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
)

// writeMarkdown writes all tables and notes, for a page of GitHub. Callers make texts of
// others harmless; here such texts only cannot break a table.
func writeMarkdown(out io.Writer, records []record.Record) error {
	w := bufio.NewWriter(out)
	records, left := calm(records)
	for _, p := range answer.Places(records) {
		fmt.Fprintf(w, "%s\n\n", p.Sentence())
	}
	if records[0].Run.Quick {
		fmt.Fprintf(w, "%s\n\n", answer.Shortened)
	}
	for _, t := range slices.Concat(rankTablesOf(records), parts(records), frameworks(records), scenarioTables(records)) {
		markdown(w, t)
	}
	for _, line := range notes(records, left) {
		line = strings.ReplaceAll(line, "\n", " ")
		if rest, warning := strings.CutPrefix(line, mark+" "); warning {
			line = fmt.Sprintf("- \\%s %s", mark, rest)
		}
		fmt.Fprintf(w, "%s\n\n", line)
	}
	return w.Flush()
}

var inTable = strings.NewReplacer("|", `\|`, "\n", " ", mark, `\`+mark)

func markdown(w *bufio.Writer, t table) {
	fmt.Fprintf(w, "**%s**\n\n| %s |\n|---|%s\n", t.title, strings.Join(t.head, " | "), strings.Repeat("--:|", len(t.head)-1))
	for _, r := range t.rows {
		var cells []string
		for i, c := range r.cells {
			text := inTable.Replace(c.short())
			if r.apart && i == 0 {
				text = "_" + text + "_"
			}
			cells = append(cells, text)
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
	fmt.Fprintln(w)
	if t.note != "" {
		fmt.Fprintf(w, "%s\n\n", t.note)
	}
}
