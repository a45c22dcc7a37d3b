package site

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/page"
	"fairstream/scripts/internal/workload"
)

// methodPage explains the workloads that the site has.
func methodPage(p *part, all []*part, proven []page.Table, root string) page.Method {
	v := page.Method{TieRule: answer.TieRule, Root: root, Words: p.facts.Words, Units: p.workload.Unit + "s", Metrics: metricTable(p.workload), Proven: proven}
	for _, of := range all {
		w := of.workload
		v.Streams = v.Streams || w.Unit == "stream"
		v.Workloads = append(v.Workloads, page.Workload{Name: w.Name, Does: w.Does, Checks: p.facts.Checks[w.Name], Upstream: w.Upstream, Shapes: shapeTable(w)})
	}
	return v
}

// provenTables are the error rates of the workloads of the site. Every page about the method has them.
func provenTables(facts Facts, all []*part) (tables []page.Table) {
	if facts.Proven == nil {
		return nil
	}
	var names []string
	for _, p := range all {
		names = append(names, p.workload.Name)
	}
	for _, t := range facts.Proven(names) {
		tables = append(tables, provenTable(t))
	}
	return tables
}

func provenTable(t prove.Table) page.Table {
	return textTable(t.Title+". "+t.Note, t.Head, t.Rows)
}

// textTable is a table of texts alone. The first of a row is its name.
func textTable(caption string, head []string, rows [][]string) page.Table {
	t := page.Table{Caption: caption}
	for _, label := range head {
		t.Head = append(t.Head, page.Head{Label: label})
	}
	for _, texts := range rows {
		row := page.Row{Name: page.Link{Text: texts[0]}}
		for _, text := range texts[1:] {
			row.Cells = append(row.Cells, page.Cell{Text: text})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// shapeTable is the scenarios of a workload in words.
func shapeTable(w workload.Workload) page.Table {
	t := page.Table{Caption: "Scenarios of " + w.Name, Head: []page.Head{{Label: "scenario"}, {Label: "load", Words: true}, {Label: "what it shows", Words: true}}}
	for _, s := range append(slices.Clone(w.Scenarios), w.Soak) {
		if s.Shows == "" {
			continue
		}
		row := page.Row{Name: page.Link{Text: s.Name}, Cells: []page.Cell{{Text: s.Load, Class: "words"}, {Text: s.Shows, Class: "words"}}}
		if len(s.Levels) > 0 {
			row.Name.Text += ", levels " + strings.Join(s.Levels, ", ")
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// metricTable has the metrics of a workload.
func metricTable(w workload.Workload) page.Table {
	t := page.Table{Caption: "Metrics of " + w.Name, Head: []page.Head{
		{Label: "metric"}, {Label: "what it is", Words: true}, {Label: "unit", Words: true}, {Label: "better", Words: true}, {Label: "name in the record", Words: true},
	}}
	for _, m := range record.Table(w.Name) {
		t.Rows = append(t.Rows, page.Row{Name: page.Link{Text: labelOf(m)}, Cells: []page.Cell{
			{Text: m.Means, Class: "words"}, {Text: m.Unit, Class: "words"}, {Text: m.Better, Class: "words"}, {Text: "`" + m.Name + "`", Class: "words"},
		}})
	}
	return t
}

// ReadGlossary reads the rows of a table `| word | meaning |`. It skips all other text.
func ReadGlossary(r io.Reader) (words []page.Word, err error) {
	lines := bufio.NewScanner(r)
	for rows := 0; lines.Scan(); {
		line := lines.Text()
		if !strings.HasPrefix(line, "|") {
			continue
		}
		if rows++; rows <= 2 { // the head
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 2 {
			return nil, fmt.Errorf("glossary: want two cells in this row: %s", line)
		}
		words = append(words, page.Word{Word: strings.TrimSpace(cells[0]), Means: strings.TrimSpace(cells[1])})
	}
	return words, lines.Err()
}
