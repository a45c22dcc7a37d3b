package report

import (
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/report/chart"
)

// Only where targets took turns there is something to see turn by turn, and
// pair has plateaus of both kinds.
func TestTurnsOfPairAreThoseOfItsStress(t *testing.T) {
	d := record.Details{Scenario: record.Pair, Round: 1}
	for i, plateau := range []string{"warm-up", "baseline", "stress-100", "stress-100", "stress-200"} {
		d.Turns = append(d.Turns, record.Turn{Plateau: plateau, BeginMS: int64(i) * 1000, TookMS: 990, Rates: map[string]float64{"go-a": 100}})
	}
	groups, err := turnRates([]record.Details{d}, map[string]chart.Style{})
	if err != nil || len(groups) != 1 || len(groups[0].Panels) != 2 {
		t.Fatalf("%v: %+v", err, groups)
	}
	if p := groups[0].Panels; p[0].Title != "100 VUs" || p[1].Title != "200 VUs" || p[0].Says[:1] != "2" {
		t.Errorf("%q %q: %s", p[0].Title, p[1].Title, p[0].Says)
	}
}
