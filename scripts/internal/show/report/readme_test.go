package report

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// The tables of servers/RESULTS.md, and the ranks and the picture of the front page come from the stored records
// of a run. -update writes them anew.
func TestPagesHaveTheResults(t *testing.T) {
	records, err := cli.ReadFile("../../../../servers/relay/results.jsonl", record.Read)
	if err != nil {
		t.Fatal(err)
	}
	// Vale does not check what records say of themselves.
	region(t, "../../../../servers/RESULTS.md", "tables of the run", "tables", "<!-- vale off -->\n\n"+written(t, "markdown", records)+"\n<!-- vale on -->\n")
	var ranks strings.Builder
	w := bufio.NewWriter(&ranks)
	_, tables := rankings(records)
	for _, table := range tables {
		table.head, table.note = table.head[:3], ""
		for i := range table.rows {
			table.rows[i].cells = table.rows[i].cells[:3]
		}
		markdown(w, table)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	region(t, "../../../../README.md", "ranks of the run", "ranks", ranks.String())
	const picture = "../../../../.github/run.png"
	drawn := written(t, "png", records)
	had, err := os.ReadFile(picture)
	if *update && string(had) != drawn {
		err = os.WriteFile(picture, []byte(drawn), 0o644)
	} else if string(had) != drawn {
		t.Errorf("%s differs from what go test -update draws of the records", picture)
	}
	if err != nil {
		t.Error(err)
	}
}

// region compares the text between two marks of a page.
func region(t *testing.T, page, begin, end, want string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end = fmt.Sprintf("<!-- %s -->\n", begin), fmt.Sprintf("<!-- end of the %s -->\n", end)
	before, rest, found := strings.Cut(string(text), begin)
	had, after, both := strings.Cut(rest, end)
	if !found || !both {
		t.Fatalf("%s: no lines %q and %q", page, begin, end)
	}
	if had == want {
		return
	}
	if !*update {
		t.Errorf("%s differs from what go test -update makes of the records:\n%s", page, want)
		return
	}
	if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The example of the front page is the output of a stored trial.
func TestTheFrontPageShowsATrial(t *testing.T) {
	trials, err := cli.ReadFile("../../judge/prove/trials/2026-11.jsonl", prove.ReadTrials)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(trials, func(trial prove.Trial) bool { return trial.ID == "cpu=5,lock=4-25" })
	var text strings.Builder
	if err := WriteVerdicts(&text, "text", []verdict.Answer{prove.Newest(trials[:i+1])}); err != nil {
		t.Fatal(err)
	}
	words := func(line string) string { return strings.Join(strings.Fields(line), " ") }
	printed := map[string]bool{}
	for line := range strings.Lines(text.String()) {
		printed[words(line)] = true
	}
	page, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(page), "```\n")
	example, _, _ = strings.Cut(example, "```")
	n := 0
	for line := range strings.Lines(example) {
		if n++; !printed[words(line)] {
			t.Errorf("README.md has the line\n%s\nwhich is not among\n%s", line, text.String())
		}
	}
	if n < 4 {
		t.Errorf("README.md has %d lines of the example", n)
	}
}
