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

// writeMarkdown writes the same as writeText, for a page of GitHub. Callers make texts of
// others harmless; here such texts only cannot break a table.
func writeMarkdown(out io.Writer, records []record.Record) error {
	w := bufio.NewWriter(out)
	records, sentences, ranks := opening(records)
	for _, s := range sentences {
		fmt.Fprintf(w, "%s\n\n", strings.ReplaceAll(s, mark+" ", `\`+mark+" "))
	}
	for _, t := range slices.Concat(ranks, parts(records), tables(records)) {
		markdown(w, t)
	}
	found := answer.Warnings(records)
	for _, d := range found {
		fmt.Fprintf(w, "- \\%s %s\n", mark, strings.ReplaceAll(d.Line(records), "\n", " "))
	}
	if len(found) > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, strings.Join(closing(records, ranks), "\n\n"))
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
