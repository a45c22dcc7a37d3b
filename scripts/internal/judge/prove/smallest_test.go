package prove

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
)

// The smallest change that the noise history predicts agrees with the published table. That comes from
// comparisons that are drawn from rounds, and another test makes it anew.
func TestTheNoiseHistoryKnowsTheSmallestChange(t *testing.T) {
	page, err := os.ReadFile("trials/README.md")
	if err != nil {
		t.Fatal(err)
	}
	from := regexp.MustCompile(`resampled from [0-9]+ rounds of epoch ([0-9a-f]+) `).FindSubmatch(page)
	table := regexp.MustCompile(`(?s)\n\*\*Smallest change that is found\*\*\n(.*?)\n\n[^|]`).FindSubmatch(page)
	if from == nil || table == nil {
		t.Fatal("trials/README.md: no table of the smallest change")
	}
	drawn := map[string]float64{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| ([0-9.]+) \|`).FindAllSubmatch(table[1], -1) {
		drawn[string(row[1])], _ = strconv.ParseFloat(string(row[2]), 64) // else 0, which the test does not want
	}
	var noiseHistory []verdict.NoiseHistory
	for _, trial := range published(t, "trials", ReadTrials) {
		if trial.Kind == Same && trial.Neighbour == 0 && trial.Comparison.Epoch == string(from[1]) {
			noiseHistory = append(noiseHistory, verdict.Remember(trial.Comparison, trial.ID))
		}
	}
	s := verdict.SmallestOf(noiseHistory)
	if s.Comparisons != len(noiseHistory) || len(s.Cells) < 3 {
		t.Fatalf("%+v of %d comparisons", s, len(noiseHistory))
	}
	t.Log(s)
	for _, c := range s.Cells {
		pct := 100 * c.Change
		if want := drawn[c.Criterion.Name()]; math.Abs(math.Log(pct/want)) > math.Log(1.5) {
			t.Errorf("%s: %.1f %%, drawn comparisons %.1f %%; want less than 1.5 times more or less", c.Criterion.Name(), pct, want)
		}
	}
}
