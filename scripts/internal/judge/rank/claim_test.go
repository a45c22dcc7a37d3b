package rank

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

func TestWordsOfClaims(t *testing.T) {
	for _, c := range []struct {
		claimedLow, claimedHigh, low, high float64
		want                               string
	}{
		{1.14, 1.14, 1.05, 1.2, Agrees},
		{1.14, 1.14, 1.5, 1.7, Agrees}, // of the same size
		{1.14, 1.14, 1.8, 1.9, Disagrees},
		{1.14, 1.14, 0.98, 1.2, NotShown},
		{1.14, 1.14, 0.95, 1.07, Tied},
		{1.14, 1.14, 0.92, 1.07, NotShown}, // too far down
		{1, 1, 0.95, 1.07, Agrees},
		{1.14, 1.14, 0.9, 0.99, Disagrees},
		{7.7, 7.7, 0.95, 1.2, Disagrees}, // it includes 1, and is far from the claim
		{7.7, 7.7, 5.2, 6, Agrees},
		{1.2, 1.3, 1.1, 1.9, Agrees},
		{1.2, 1.3, 2, 2.1, Disagrees},
		{0.946, 0.946, 0.8, 0.9, Agrees},
		{0.946, 0.946, 1.1, 1.2, Disagrees},
		{1, 1, 0.95, 1.1, Agrees},
		{1, 1, 0.5, 1.1, NotShown},
		{1, 1, 1.01, 1.1, Disagrees},
		{1, 1, 0.9, 0.99, Disagrees},
		{1.14, 1.14, math.NaN(), math.NaN(), NotShown},
		{1.14, 1.14, 0, math.Inf(1), NotShown}, // one round
	} {
		if got := word(workload.Claim{Low: c.claimedLow, High: c.claimedHigh}, c.low, c.high); got != c.want {
			t.Errorf("claimed %g to %g, ours %g to %g: %s; want %s", c.claimedLow, c.claimedHigh, c.low, c.high, got, c.want)
		}
	}
}

// A claim has an interval of its own, whichever of the two servers is ahead. With more claims about a ranking it is wider.
func TestARatioOfTwoServers(t *testing.T) {
	r := NewRanking(costs(map[string][]float64{"a": {100, 200, 150}, "b": {202, 396, 300}, "c": {399, 801, 600}}), "steady", cost)
	for _, c := range []struct {
		of, than string
		want     float64
	}{{"b", "a", 2}, {"a", "b", 0.5}, {"c", "a", 4}, {"a", "a", 1}, {"a", "none", math.NaN()}} {
		ratio, low, high := r.Between(c.of, c.than, 1)
		if math.IsNaN(c.want) {
			if !math.IsNaN(ratio) {
				t.Errorf("%s / %s: %g", c.of, c.than, ratio)
			}
			continue
		}
		if math.Abs(ratio/c.want-1) > 0.01 || low >= ratio || math.Abs(ratio/low-high/ratio) > 1e-9 || low < ratio/1.05 {
			t.Errorf("%s / %s: %g (%g to %g), want about %g and less than 5 %% to both sides", c.of, c.than, ratio, low, high, c.want)
		}
		if _, lowOfMany, highOfMany := r.Between(c.of, c.than, 9); lowOfMany >= low || highOfMany <= high {
			t.Errorf("%s / %s: one of nine claims has %g to %g, one alone %g to %g", c.of, c.than, lowOfMany, highOfMany, low, high)
		}
	}
	one, low, high := NewRanking(costs(map[string][]float64{"a": {1}, "b": {2}}), "steady", cost).Between("b", "a", 1)
	if one != 2 || low != 0 || !math.IsInf(high, 1) {
		t.Errorf("one round: %g (%g to %g)", one, low, high)
	}
}

func TestAClaimOfFailures(t *testing.T) {
	claim := workload.Claim{Of: "a", Scenario: "steady", Metric: FailedPct}
	for want, failed := range map[string][]float64{Agrees: {0.1, 2}, Disagrees: {0, 0}, NotShown: {0, 1}} {
		records := []record.Record{made("a", 1), made("a", 2)}
		for i := range records {
			records[i].Metrics[FailedPct] = &failed[i]
		}
		if got := checkLevel(claim, records); got.Word != want || got.High != failed[1] {
			t.Errorf("%v: %+v; want %s", failed, got, want)
		}
	}
	if got := checkLevel(claim, nil); got.Word != NotShown || !math.IsNaN(got.Ratio) {
		t.Errorf("without records: %+v", got)
	}
}

// Claims stand on scenarios and metrics that the workload has, and on a ratio.
func TestClaimsAreOfKnownFigures(t *testing.T) {
	n := 0
	for _, w := range workload.All {
		for _, c := range w.Claims {
			n++
			what := fmt.Sprintf("%s: %q", w.Name, c.Text)
			if _, known := record.FindIn(w.Name, c.Metric); !known {
				t.Errorf("%s: no metric %s", what, c.Metric)
			}
			if w.ScenarioOf(c.Scenario) == c.Scenario && !slices.Contains(w.Paced(), c.Scenario) {
				t.Errorf("%s: no scenario %s", what, c.Scenario)
			}
			if c.Source == nil || (c.Than == "") != (c.Low == 0) || c.Low > c.High {
				t.Errorf("%s: %+v", what, c)
			}
		}
	}
	if n < 20 {
		t.Errorf("%d claims", n)
	}
}
