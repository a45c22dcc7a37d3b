package verdict

import (
	"math/rand/v2"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// A neighbour that comes whenever head has its slice does not make head regress, however little of
// the machine it has.
func TestANeighbourOfOneSideIsNoVerdict(t *testing.T) {
	const rate, p95, rss = "stress rate_per_s", "stress stream_p95_ms", "stress-100 server_rss_peak_bytes"
	for _, c := range []struct {
		name    string
		others  At // per cent, in each round, with a scatter of one
		unknown bool
		factors map[string]float64
		want    map[string]Verdict
		why     string
	}{
		{"5 % in head's slices", At{1, 6}, false, map[string]float64{rate: 0.95, p95: 1.2}, map[string]Verdict{rate: Inconclusive, p95: Inconclusive}, "stress: other programs and the host used "},
		{"5 % in base's slices", At{6, 1}, false, map[string]float64{rate: 1.05, p95: 0.8}, map[string]Verdict{rate: Inconclusive, p95: Inconclusive}, "more of the machine in base's slices"},
		{"more than it can have done", At{1, 6}, false, map[string]float64{rate: 0.7, p95: 1.2}, map[string]Verdict{rate: Regressed, p95: Inconclusive}, ""},
		{"the wrong way round", At{6, 1}, false, map[string]float64{rate: 0.95}, map[string]Verdict{rate: Regressed}, ""},
		{"as much of both", At{6, 6}, false, map[string]float64{rate: 0.95}, map[string]Verdict{rate: Regressed}, ""},
		{"hardly any", At{1, 1.5}, false, map[string]float64{rate: 0.95, rss: 1.05}, map[string]Verdict{rate: Regressed, rss: Regressed}, ""},
		{"not known in a round", At{1, 6}, true, map[string]float64{rate: 0.95}, map[string]Verdict{rate: Regressed}, ""},
	} {
		random := rand.New(rand.NewPCG(1, 2))
		p := comparisonOf(12, 0.001, c.factors)
		for i := range p.Rounds {
			p.Rounds[i].Others = map[string]At{}
			for _, level := range []string{"stress-100", "stress-200"} {
				p.Rounds[i].Others[level] = At{c.others[0] + random.NormFloat64(), c.others[1] + random.NormFloat64()}
			}
		}
		if c.unknown {
			p.Rounds[3].Others = nil
		}
		a := Judge(p, nil)
		for cell, want := range c.want {
			if got := cellOf(a, cell); got.Verdict != want || (got.Neighbour != 0) != (want == Inconclusive) {
				t.Errorf("%s: %s is %s, and a neighbour's %.1f %%; want %s", c.name, cell, got.Verdict, got.Neighbour, want)
			}
		}
		if !strings.Contains(a.Why, c.why) {
			t.Errorf("%s: %s %q; want %q", c.name, a.Verdict, a.Why, c.why)
		}
	}
}

// What others had is read of levels, where a side has slices of its own.
func TestOthersAreReadFromRecords(t *testing.T) {
	set := func(others, steal float64) func(*record.Record) {
		return func(r *record.Record) {
			if r.Server.Side == "head" {
				r.Conditions.OthersPct, r.Conditions.StealPct = &others, &steal
			}
		}
	}
	for _, r := range Comparisons(comparisonRecords(set(6, 3)))[0].Rounds {
		if len(r.Others) != 1 || r.Others["stress-100"] != (At{5, 9}) || len(r.Discarded) != 0 {
			t.Errorf("round %d: %v, discarded %q; want 5 and 9 %% in stress-100", r.Round, r.Others, r.Discarded)
		}
	}
	for _, r := range Comparisons(comparisonRecords(set(9, 7)))[0].Rounds {
		if len(r.Discarded) != 1 || !strings.Contains(r.Discarded[0], "stress-100: other programs and the host used 5 % of the machine in base's slices and 16 % in head's") {
			t.Errorf("round %d: discarded %q", r.Round, r.Discarded)
		}
	}
	for _, r := range Comparisons(comparisonRecords(func(r *record.Record) { r.Conditions.OthersPct = nil }))[0].Rounds {
		if len(r.Others) != 0 {
			t.Errorf("round %d: %v of what nobody knows", r.Round, r.Others)
		}
	}
}
