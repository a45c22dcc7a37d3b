package rank

import (
	"math"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Rounds are pairs. A machine that gets slower moves neither the ratio nor its interval, and a round that one of them
// lacks does not count.
func TestARatioIsOfTheSameRounds(t *testing.T) {
	records := costs(map[string][]float64{"a": {200, 400, 100, 0}, "b": {100, 200, 50, 70}})
	part := workload.Part{Column: cost, Scenario: "steady", Per: 1}
	a, b := record.OfTarget(records, "a"), record.OfTarget(records, "b")
	near := func(got, want Interval) bool {
		return math.Abs(got.Mid-want.Mid) < 1e-6 && math.Abs(got.Low-want.Low) < 1e-6 && math.Abs(got.High-want.High) < 1e-6
	}
	if got := Ratio(a, b, part); !near(got, Interval{2, 2, 2}) {
		t.Errorf("ratio %+v; want 2 in each round", got)
	}
	// Student's t with two degrees of freedom is 4.302653, and the differences are 100, 200 and 50.
	half := 4.302652729911275 * math.Sqrt(17500./3) / math.Sqrt(3)
	if got := Difference(a, b, part); !near(got, Interval{350. / 3, 350./3 - half, 350./3 + half}) {
		t.Errorf("difference %+v; want %g on both sides", got, half)
	}
	if got := Ratio(a[:2], b, part); math.Abs(got.Mid-2) > 1e-9 || got.Low != 0 || !math.IsInf(got.High, 1) {
		t.Errorf("two rounds: %+v; want no interval", got)
	}
	if got := Ratio(a, nil, part); !math.IsNaN(got.Mid) {
		t.Errorf("alone: %+v", got)
	}
	less := workload.Part{Column: cost, Scenario: "steady", Less: "steady", Per: 1} // always 0
	if got := Ratio(a, b, less); !math.IsNaN(got.Mid) {
		t.Errorf("nothing by nothing: %+v", got)
	}
	// A part below 0 is noise, and two of them make no ratio.
	for _, r := range costs(map[string][]float64{"a": {150, 390, 90}, "b": {80, 190, 40}}) {
		r.Scenario = "more"
		records = append(records, r)
	}
	a, b = record.OfTarget(records, "a"), record.OfTarget(records, "b")
	if got := Ratio(a, b, workload.Part{Column: cost, Scenario: "more", Less: "steady", Per: 1}); !math.IsNaN(got.Mid) {
		t.Errorf("parts below 0: %+v; want no ratio", got)
	}
}
