package rank

import (
	"math"
	"testing"

	"fairstream/scripts/internal/workload"
)

// A part is the difference of two scenarios in the same round; its figure is the arithmetic mean. Rounds with a failed request or without a figure are left out.
func TestPartsAreDifferencesOfARound(t *testing.T) {
	all := costs(map[string][]float64{"a": {100, 200, 0, 100, 100}})
	for _, r := range costs(map[string][]float64{"a": {160, 280, 100, 300, 500}}) {
		r.Scenario = "more"
		all = append(all, r)
	}
	failed := 1.0
	all[len(all)-1].Metrics[FailedPct] = &failed
	difference := workload.Part{Column: cost, Scenario: "more", Less: "steady", Per: 2}
	if got, want := NewPart(all, difference), (Figure{170. / 3, 30, 100, 3}); got != want {
		t.Errorf("%+v; want %+v", got, want)
	}
	alone := workload.Part{Column: cost, Scenario: "steady", Per: 1}
	if got, want := NewPart(all, alone), (Figure{100 * math.Pow(2, 0.25), 100, 200, 4}); math.Abs(got.Mid-want.Mid) > 1e-9 || got.Rounds != 4 || got.High != 200 {
		t.Errorf("alone: %+v; want %+v", got, want)
	}
	if got := NewPart(all, workload.Part{Column: cost, Scenario: "more", Less: "other", Per: 1}); got.Rounds != 0 {
		t.Errorf("without the other scenario: %+v", got)
	}
}
