package report

import (
	"os"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/verdict"
)

// The example of the front page is the output of a stored trial.
func TestTheFrontPageShowsATrial(t *testing.T) {
	trials, err := cli.ReadFile("../../judge/prove/trials/2026-11.jsonl", prove.ReadTrials)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(trials, func(trial prove.Trial) bool { return trial.ID == "cpu=5,tail=10-40" })
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
