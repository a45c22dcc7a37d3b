package compare

import (
	"testing"

	"fairstream/scripts/raw"
	"fairstream/scripts/record"
)

// Records may lack any figure: direct's of a round that failed, a cell's of the
// first round. Medians are of the values in any order.
func TestFiguresThatAreNotThere(t *testing.T) {
	var records []record.Record
	for round, rate := range []float64{900, 100, 101, 102, 99} {
		for _, side := range []string{"", "base", "head"} {
			r := record.Record{Scenario: "stress-100", Round: round + 1, Status: record.OK, Metrics: record.Metrics{"failed_pct": new(float64)}}
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
	a := Compare(records, nil)[0]
	if len(a.Cells) != 2 || a.Cells[0].Metric.Name != "stream_p95_ms" || a.Cells[0].Verdict != NotMeasured || a.Cells[1].Base != 101 {
		t.Errorf("%+v; want p95 not measured, and the rate's median 101", a)
	}
}

// A head that is not even loaded is no better on a busy machine.
func TestABusyMachineExcusesNoSideThatWasNotLoaded(t *testing.T) {
	why := []string{"other programs used 40 % of the machine"}
	p := Pairs(pairRecords(func(r *record.Record) {
		if r.Conditions.Unfit = why; r.Server.Side == "head" {
			r.Status, r.Why, r.Conditions.Unfit, r.Metrics = record.Invalid, []string{"fails the contract"}, nil, record.Metrics{}
		}
	}))[0]
	if a := Judge(p, nil); a.Verdict != Regressed || len(a.Spoiled) > 0 {
		t.Errorf("%s: %q, spoiled %q; want regressed", a.Verdict, a.Why, a.Spoiled)
	}
}
