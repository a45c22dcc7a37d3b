package report

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/testfile"
)

// A second comparison of the same releases is in the table, and in the count of changes that were found again. The picture has one
// row for each package, with the first comparison of each release.
func TestAYearCountsWhatWasFoundAgain(t *testing.T) {
	_, year := Known(testfile.Read(t, "../../../../servers/releases.jsonl", verdict.ReadSteps))
	of := func(head string) (steps []verdict.Step) {
		for _, s := range year {
			if s.Package == "tokio" && s.Head == head {
				steps = append(steps, s)
			}
		}
		return steps
	}
	worse, calm := of("1.51.0"), of("1.54.1")
	if len(worse) != 2 || len(calm) != 1 {
		t.Fatalf("%d and %d comparisons; want 2 and 1", len(worse), len(calm))
	}
	lost := calm[0]
	lost.Head = worse[0].Head
	for name, c := range map[string]struct {
		steps []verdict.Step
		says  string
	}{
		"found":        {[]verdict.Step{worse[0], worse[1], calm[0]}, "their package: 1. Compared again: 1. Largest change found again: 1."},
		"not found":    {[]verdict.Step{worse[0], lost}, "Compared again: 1. Largest change found again: 0."},
		"no change":    {calm, "their package: 0. Compared again: 0. Largest change found again: 0."},
		"not repeated": {worse[:1], "their package: 1. Compared again: 0. Largest change found again: 0."},
	} {
		if got := Year(c.steps); !strings.Contains(got, c.says) {
			t.Errorf("%s: %s; want %s", name, got, c.says)
		}
	}
	if table := Steps([]verdict.Step{worse[0], worse[1]}); strings.Count(table, "| regressed: baseline CPU us/stream +9.9 % |") != 1 || strings.Count(table, ", again |") != 1 {
		t.Errorf("table:\n%s", table)
	}
	picture, drawn := YearPicture([]verdict.Step{worse[0], worse[1], calm[0]})
	if text := picture.Inline(); !drawn || strings.Count(text, ">tokio<") != 1 || strings.Count(text, `<circle class="worse"`) != 1 || !strings.Contains(text, "1.48.0 to 1.54.1, in rust-axum") {
		t.Errorf("picture: %s", text)
	}
	if _, drawn := YearPicture(nil); drawn {
		t.Error("a picture of nothing")
	}
}
