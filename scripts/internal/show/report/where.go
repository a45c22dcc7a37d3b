package report

import (
	"fmt"
	"io"
	"strings"

	"fairstream/scripts/internal/judge/where"
	"fairstream/scripts/internal/show/answer"
)

// Where writes the functions of each server that changed, or that take most time.
func Where(out io.Writer, width int, all []where.Found) error {
	w := new(strings.Builder)
	for _, f := range all {
		rows := answer.FunctionRows(f)
		fmt.Fprintf(w, "\n%s  %s\n", f.Server, Wrap(answer.FunctionsSentence(f), width-2))
		if len(rows) == 0 {
			continue
		}
		columns := answer.FunctionColumns(f)
		texts := [][]string{append(columns[:], "function")}
		for _, r := range rows {
			texts = append(texts, append(r.Cells[:], r.Name))
		}
		fmt.Fprintln(w)
		Verdicts{Width: width}.columns(w, texts)
	}
	_, err := io.WriteString(out, answer.Plain(w.String()))
	return err
}

// WhereMarkdown writes the list of a server.
func WhereMarkdown(w *strings.Builder, f where.Found) {
	rows := answer.FunctionRows(f)
	fmt.Fprintf(w, "%s\n\n", answer.FunctionsSentence(f))
	if len(rows) == 0 {
		return
	}
	columns := answer.FunctionColumns(f)
	fmt.Fprintf(w, "| function | %s |\n|---|---|--:|--:|\n", strings.Join(columns[:], " | "))
	for _, r := range rows {
		fmt.Fprintf(w, "| `%s` | %s |\n", strings.NewReplacer("|", `\|`, "`", "'").Replace(r.Name), strings.Join(r.Cells[:], " | "))
	}
	fmt.Fprintln(w)
}
