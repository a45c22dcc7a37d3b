package verdict

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// A machine that is noisy in all rounds discards none. A round that is noisier than the others is discarded.
func TestARoundIsComparedWithTheOthers(t *testing.T) {
	pct := func(base, head [4]float64) func(*record.Record) {
		return func(r *record.Record) {
			v := base[r.Round-1]
			if r.Server.Side == "head" {
				v = head[r.Round-1]
			}
			r.Conditions.OthersPct = &v
		}
	}
	same := func(values [4]float64) func(*record.Record) { return pct(values, values) }
	direct := func(scenario, metric string, values [4]float64) func(*record.Record) {
		return func(r *record.Record) {
			if r.Server.Side == "" && r.Scenario == scenario {
				v := values[r.Round-1]
				r.Metrics[metric] = &v
			}
		}
	}
	both := func(one, other func(*record.Record)) func(*record.Record) {
		return func(r *record.Record) { one(r); other(r) }
	}
	busy := same([4]float64{40, 40, 40, 40})
	steal := func(r *record.Record) { v := 35.0; r.Conditions.StealPct = &v }
	for _, c := range []struct {
		name      string
		mend      func(*record.Record)
		discarded string // rounds
		why       string
	}{
		{"others in all rounds", same([4]float64{50, 48, 53, 51}), "", ""},
		{"steal in all rounds", steal, "", ""},
		{"others that vary", same([4]float64{20, 70, 40, 60}), "", ""},
		{"others in one round", same([4]float64{5, 4, 31, 5}), "3", "used 31 % of the machine, but 5 % in the median"},
		{"much more in one round", same([4]float64{30, 31, 80, 30}), "3", "used 80 % of the machine, but 30 % in the median"},
		{"on either side, as it comes", pct([4]float64{60, 20, 55, 30}, [4]float64{30, 55, 20, 60}), "", ""},
		{"on one side in one round", pct([4]float64{5, 6, 5, 4}, [4]float64{4, 17, 6, 5}), "2", "6 % of the machine in base's"},
		{"on one side in all rounds", pct([4]float64{5, 6, 5, 4}, [4]float64{25, 27, 24, 26}), "1234", "want a difference of at most 10"},
		{"a rig that is late without a neighbour", direct("steady", "itl_p99_ms", [4]float64{130, 128, 131, 127}), "1234", "27.0 ms late (p99), and other programs did little"},
		{"a rig that is late beside a neighbour", both(busy, direct("steady", "itl_p99_ms", [4]float64{130, 128, 131, 127})), "", ""},
		{"a rig that is late in one round", both(busy, direct("steady", "itl_p99_ms", [4]float64{101, 101, 110, 101})), "3", "10.0 ms late (p99), but 1.0 ms in the median"},
		{"direct varies", direct("stress-100", "rate_per_s", [4]float64{50, 100, 70, 150}), "", ""},
		{"direct differs in one round", direct("stress-100", "rate_per_s", [4]float64{100, 60, 101, 99}), "2", "want at most 1.5 times"},
	} {
		var got, why string
		for _, r := range Comparisons(comparisonRecords(c.mend))[0].Rounds {
			if len(r.Discarded) > 0 {
				got, why = got+string(rune('0'+r.Round)), strings.Join(r.Discarded, "; ")
			}
		}
		if got != c.discarded || !strings.Contains(why, c.why) {
			t.Errorf("%s: discarded %q: %q; want %q: %q", c.name, got, why, c.discarded, c.why)
		}
	}
}
