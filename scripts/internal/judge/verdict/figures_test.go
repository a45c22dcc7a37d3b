package verdict

import (
	"math"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// Records may lack any figure: direct's of a round that failed, a cell's of the
// first round. Base and head are means of the rounds that have the figure.
func TestFiguresThatAreNotThere(t *testing.T) {
	var records []record.Record
	for round, rate := range []float64{900, 100, 101, 102, 99} {
		for i, side := range []string{"", "base", "head", "", "base", "head"} {
			r := record.Record{Scenario: []string{"stress-100", "stress-200"}[i/3], Round: round + 1, Status: record.OK, Metrics: record.Metrics{"failed_pct": new(float64)}}
			r.Run.Rounds, r.Server.Name, r.Server.Side = 5, "go-http", side
			if side == "" {
				r.Server.Name = raw.Direct
			} else if round > 0 {
				p95 := rate
				r.Metrics["stream_p95_ms"] = &p95
			}
			if side != "" {
				r.Metrics["rate_per_s"] = &rate
			}
			records = append(records, r)
		}
	}
	a := Compare(records)[0]
	p95, rate := cellOf(a, "stress stream_p95_ms"), cellOf(a, "stress rate_per_s")
	if p95.Verdict != NotMeasured || rate.Verdict != Unchanged || math.Abs(rate.Base-math.Pow(900*100*101*102*99, 0.2)) > 1e-9 {
		t.Errorf("%+v; want p95 not measured, and the rate's geometric mean", a)
	}
}
