package prove

import (
	"math"
	"slices"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
)

// The smallest change that a noise history predicts agrees with comparisons that are drawn from the same trials.
func TestTheNoiseHistoryKnowsTheSmallestChange(t *testing.T) {
	all := judgeAll(beside(published(t, "trials", ReadTrials), 0))
	source := slices.MaxFunc(newDrawer(all), func(a, b source) int { return len(a.trials) - len(b.trials) })
	var noiseHistory []verdict.NoiseHistory
	for _, r := range all {
		if r.Kind != Injected && r.Comparison.Server == source.like.Server && r.Comparison.Epoch == source.like.Epoch {
			noiseHistory = append(noiseHistory, verdict.Remember(r.Comparison, r.Task.ID))
		}
	}
	s := verdict.SmallestOf(noiseHistory)
	if s.Comparisons != len(noiseHistory) || len(s.Cells) < 3 {
		t.Fatalf("%+v of %d comparisons", s, len(noiseHistory))
	}
	t.Log(s)
	for _, c := range s.Cells {
		drawn, ok := drawer{source}.least(c.Criterion.Name(), 0.8, Seed)
		if !ok || math.Abs(math.Log(c.Change/drawn)) > math.Log(1.5) {
			t.Errorf("%s: %.1f %%, drawn comparisons %.1f %%; want less than 1.5 times more or less", c.Criterion.Name(), 100*c.Change, 100*drawn)
		}
	}
}
