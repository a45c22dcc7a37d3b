package verdict

import (
	"strings"
	"testing"
)

func TestARegressionIsConfirmedByASecondComparison(t *testing.T) {
	const cpu, rate = "steady server_cpu_us_per_stream", "stress rate_per_s"
	comparison := func(factors map[string]float64) *Answer {
		a := Judge(comparisonOf(12, 0.005, factors))
		return &a
	}
	fails := &Answer{Server: "go-http", Verdict: Regressed, Why: "head fails"}
	both := comparison(map[string]float64{cpu: 1.05, rate: 0.9})
	lacking := comparisonOf(12, 0.005, map[string]float64{cpu: 1.05})
	for i := range lacking.Rounds {
		delete(lacking.Rounds[i].Cells, "stress-100 rate_per_s")
		lacking.Rounds[i].Missing = []string{"stress-100 rate_per_s"}
	}
	unmeasured := Judge(lacking)
	for _, c := range []struct {
		name          string
		first, second *Answer
		want          Verdict
		cells         int // that regressed
		why           string
	}{
		{"again", comparison(map[string]float64{cpu: 1.05}), comparison(map[string]float64{cpu: 1.06}), Regressed, 1, ""},
		{"one of two", both, comparison(map[string]float64{cpu: 1.05}), Regressed, 1, ""},
		{"another cell", comparison(map[string]float64{cpu: 1.05}), comparison(map[string]float64{rate: 0.9}), Inconclusive, 0, "found it in other cells"},
		{"not again", comparison(map[string]float64{cpu: 1.05}), comparison(nil), Inconclusive, 0, "a second one no change"},
		{"no second", comparison(map[string]float64{cpu: 1.05}), nil, Inconclusive, 0, "no second one"},
		{"again, beside what was not measured", &unmeasured, comparison(map[string]float64{cpu: 1.06}), Regressed, 1, ""},
		{"not again, beside what was not measured", &unmeasured, comparison(nil), NotMeasured, 0, "a second one no change"},
		{"no second, beside what was not measured", &unmeasured, nil, NotMeasured, 0, "no second one"},
		{"failed and then failed", fails, fails, Regressed, 0, "head fails"},
		{"failed once", fails, comparison(nil), Inconclusive, 0, "a second one"},
		{"dearer, and then it failed", both, fails, Regressed, 2, ""},
		{"no regression", comparison(map[string]float64{cpu: 0.9}), nil, Improved, 0, ""},
	} {
		got, n := Confirm(*c.first, c.second), 0
		for _, cell := range got.Cells {
			if cell.Verdict == Regressed {
				n++
			}
		}
		why := c.why
		if strings.HasPrefix(c.name, "not again") || c.name == "failed once" {
			why = "second one says " + string(c.second.Verdict)
		}
		if got.Verdict != c.want || n != c.cells || !strings.Contains(got.Why, why) {
			t.Errorf("%s: %s with %d cells, %q; want %s, %d, %q", c.name, got.Verdict, n, got.Why, c.want, c.cells, why)
		}
	}
	if both.Cells[0].Verdict != Regressed || both.Cells[1].Verdict != Regressed {
		t.Error("confirming changed the first answer")
	}
}
