package report

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/svg"
	"fairstream/scripts/internal/testfile"
)

// The pictures of the front page come from the stored records of a run. -update writes them anew.
func TestTheFrontPageHasTheResults(t *testing.T) {
	records := testfile.Read(t, "../../../../servers/relay/results.jsonl", record.Read)
	for _, card := range Cards(records) {
		question, _, _ := strings.Cut(strings.ToLower(card.Question), " ")
		for _, theme := range []svg.Theme{svg.Light, svg.Dark} {
			file := fmt.Sprintf("../../../../.github/relay-%s-%s.svg", question, theme)
			testfile.Check(t, file, []byte(svg.Cards(cardWidth, "", card).Alone(theme)))
		}
	}
}

// The table of servers/RELEASES.md comes from stored comparisons of releases.
func TestThePageOfReleasesHasTheirFigures(t *testing.T) {
	known, year := Known(testfile.Read(t, "../../../../servers/releases.jsonl", verdict.ReadSteps))
	testfile.Region(t, "../../../../servers/RELEASES.md", "table of known changes", "table", "<!-- vale off -->\n\n"+Steps(known)+"\n<!-- vale on -->\n")
	if len(year) == 0 {
		return
	}
	testfile.Region(t, "../../../../servers/RELEASES.md", "table of the year", "table", Year(year)+"\n\n<!-- vale off -->\n\n"+Steps(year)+"\n<!-- vale on -->\n")
	picture, _ := YearPicture(year)
	for _, theme := range []svg.Theme{svg.Light, svg.Dark} {
		testfile.Check(t, fmt.Sprintf("../../../../.github/releases-%s.svg", theme), []byte(picture.Alone(theme)))
	}
}

// The example of the front page is the output of a stored trial.
func TestTheFrontPageShowsATrial(t *testing.T) {
	trials := testfile.Read(t, "../../judge/prove/trials/2026-12.jsonl", prove.ReadTrials)
	i := slices.IndexFunc(trials, func(trial prove.Trial) bool { return trial.ID == "cpu=3-relay.go-http-1" })
	shown := trials[i].Answer()
	picture, _ := VerdictPicture(shown)
	for _, theme := range []svg.Theme{svg.Light, svg.Dark} {
		testfile.Check(t, fmt.Sprintf("../../../../.github/verdict-%s.svg", theme), []byte(picture.Alone(theme)))
	}
	var text strings.Builder
	if err := (Verdicts{Width: 1000, Reasons: true}).Write(&text, "text", []verdict.Answer{shown}); err != nil {
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
	if line := strings.TrimSpace(example); !printed[words(line)] {
		t.Errorf("README.md has the line\n%s\nwhich is not among\n%s", line, text.String())
	}
}
