package verdict

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// recordsIn are the records of a comparison of go-http in a workload. Figures scatter by 0.4 %, and those of head
// are times the factor of "SCENARIO METRIC".
func recordsIn(w workload.Workload, rounds int, factors map[string]float64) (records []record.Record) {
	random := rand.New(rand.NewPCG(3, 4))
	zero := 0.0
	for round := 1; round <= rounds; round++ {
		for _, scenario := range w.ComparedRecords() {
			speed := 1 + 0.2*random.Float64() // of the machine in this round
			for _, side := range []string{"", "base", "head"} {
				r := record.Record{
					Schema: record.Schema, Workload: w.Name, Run: record.Run{ID: "r", Asked: raw.Asked{Rounds: rounds}}, Scenario: scenario, Round: round,
					Started: time.Unix(int64(round)*60, 0), Status: record.OK, Why: []string{}, Metrics: record.Metrics{},
					Server: raw.Server{Name: "go-http", Side: side}, Conditions: record.Conditions{Disturbed: []string{}},
				}
				if side == "" {
					r.Server.Name = raw.Direct
				}
				for _, m := range record.Table(w.Name) {
					v := 100 * speed * math.Exp(0.004*random.NormFloat64())
					if factor := factors[scenario+" "+m.Name]; side == "head" && factor != 0 {
						v *= factor
					}
					r.Metrics[m.Name] = &v
				}
				r.Metrics["failed_pct"] = &zero
				records = append(records, r)
			}
		}
	}
	return records
}

// A change of each deciding cell of a workload of requests is found, and the headline has its cell. Without a
// change nothing is.
func TestKnownChangesOfRequests(t *testing.T) {
	for _, w := range workload.All {
		if w.Unit != workload.Request {
			continue
		}
		subjects := map[string]bool{}
		for _, c := range w.Criteria {
			if c.Decides == "" {
				continue
			}
			subjects[c.Decides] = true
			factor := 1 + 2*c.Margin
			if m, _ := record.FindIn(w.Name, c.Metric); m.Better == "higher" {
				factor = 1 / factor
			}
			factors := map[string]float64{}
			for _, name := range c.Records() {
				factors[name+" "+c.Metric] = factor
			}
			p := Comparisons(recordsIn(w, 12, factors))[0]
			a := Judge(p)
			got := cellOf(a, c.Name())
			if a.Verdict != Regressed || got.Verdict != Regressed || math.Abs(got.Change-(factor-1)) > 0.02 {
				t.Errorf("%s: %s: %s, cell %s by %.3f; want a regression by %.3f", w.Name, c.Name(), a.Verdict, got.Verdict, got.Change, factor-1)
			}
			if m := got.Metric; m.Name != c.Metric || m.Label == "" {
				t.Errorf("%s: %s is explained as %+v", w.Name, c.Name(), m)
			}
		}
		want := map[string]bool{"CPU": true, "latency": true, "memory": true, "throughput": true}
		if w.Database {
			want["queries"] = true
		}
		if !maps.Equal(subjects, want) {
			t.Errorf("%s decides on %v; want %v", w.Name, subjects, want)
		}
		if a := Judge(Comparisons(recordsIn(w, 12, nil))[0]); a.Verdict != Unchanged {
			t.Errorf("%s: %s (%s), though nothing changed", w.Name, a.Verdict, a.Why)
		}
	}
}

// Texts of a comparison have the word of the workload.
func TestFaultsOfRequests(t *testing.T) {
	w := workload.Named("web")
	records := recordsIn(w, 4, nil)
	failed := 3.0
	for i := range records {
		if r := &records[i]; r.Server.Side == "head" && r.Round == 2 && r.Scenario == "mixed" {
			r.Metrics["failed_pct"] = &failed
		}
	}
	p := Comparisons(records)[0]
	if got := p.Rounds[1].Faults[1]; got != "mixed: 3 % of requests failed" {
		t.Errorf("fault %q", got)
	}
}
