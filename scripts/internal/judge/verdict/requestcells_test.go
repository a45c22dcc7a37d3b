package verdict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// ofWeb is a comparison of web in which only requests by name may change. Each request has `samples` in each round,
// and head's p95 is multiplied by its factor. Figures scatter by `scatter`.
func ofWeb(seed uint64, scatter float64, names int, samples int64, factors map[string]float64) []record.Record {
	random := rand.New(rand.NewPCG(seed, 3))
	var all []record.Record
	for round := range Rounds {
		for _, scenario := range []string{"mixed", "stress-100", "stress-500"} {
			for _, side := range []string{"base", "head"} {
				r := record.Record{
					Schema: record.Schema, Workload: "web", Scenario: scenario, Round: round + 1, Run: record.Run{Asked: raw.Asked{Rounds: Rounds}},
					Status: record.OK, Metrics: record.Metrics{},
				}
				r.Server.Name, r.Server.Side = "shop", side
				noisy := func(v float64) *float64 {
					v *= math.Exp(scatter * random.NormFloat64())
					return &v
				}
				for _, m := range record.Table("web") {
					r.Metrics[m.Name] = noisy(100)
				}
				r.Metrics["failed_pct"] = new(float64)
				for i := range names {
					q := record.Request{Name: fmt.Sprintf("GET /%d", i), Requests: samples, P50: noisy(2), P95: noisy(10), SharePct: float64(i)}
					if f := factors[q.Name]; f != 0 && side == "head" {
						*q.P50, *q.P95 = f**q.P50, f**q.P95
					}
					r.Requests = append(r.Requests, q)
				}
				all = append(all, r)
			}
		}
	}
	return all
}

// A request that became slower is named, and the verdict on the server stays that of its cells.
func TestARequestThatBecameSlowerIsNamed(t *testing.T) {
	for _, c := range []struct {
		samples int64
		metric  string
		base    float64
	}{{200, "request_p95_ms", 10}, {199, "request_p50_ms", 2}, {20, "request_p50_ms", 2}} {
		a := Compare(ofWeb(1, 0.01, 5, c.samples, map[string]float64{"GET /1": 1.41}))[0]
		if a.Verdict != Unchanged || len(a.Requests) != 5 {
			t.Fatalf("%s: %d requests", a.Verdict, len(a.Requests))
		}
		q := a.Requests[0]
		if q.Name != "GET /1" || q.Verdict != Regressed || q.Metric.Name != c.metric || math.Abs(q.Change-0.41) > 0.03 || q.Low > q.Change || q.High < q.Change ||
			math.Abs(q.Base-c.base) > 0.2 || math.Abs(q.SharePct-1) > 1e-9 || q.Deciding() || q.Scenario != "mixed" || q.Rounds != a.Rounds {
			t.Errorf("%+v", q)
		}
		// The others follow by their share of the time.
		if a.Requests[1].Name != "GET /4" || a.Requests[4].Name != "GET /0" || a.Requests[1].Verdict == Regressed {
			t.Errorf("%+v", a.Requests[1:])
		}
	}
}

// Without enough requests, and where a side lacks a name in one round, a request has no cell.
func TestRequestsWithoutACell(t *testing.T) {
	if a := Compare(ofWeb(1, 0.01, 2, 19, nil))[0]; len(a.Requests) != 0 || len(a.Cells) == 0 {
		t.Errorf("%+v", a.Requests)
	}
	records := ofWeb(1, 0.01, 2, 300, nil)
	for i := range records {
		if r := &records[i]; r.Round == 3 && r.Server.Side == "head" {
			r.Requests = r.Requests[1:]
		}
	}
	if a := Compare(records)[0]; len(a.Requests) != 1 || a.Requests[0].Name != "GET /1" {
		t.Errorf("%+v", a.Requests)
	}
}

// All requests together have the risk of one cell more, so the other cells that do not decide have a little less.
func TestRequestsTakeThePartOfOneCell(t *testing.T) {
	risk := func(names int) (ofCell, ofRequest float64) {
		a := Compare(ofWeb(1, 0.01, names, 300, nil))[0]
		for _, c := range a.Cells {
			if !c.Deciding() {
				ofCell = c.Risk
			}
		}
		if len(a.Requests) > 0 {
			ofRequest = a.Requests[0].Risk
		}
		return ofCell, ofRequest
	}
	alone, _ := risk(0)
	others, each := risk(3)
	if !near(3*each, others, 1e-9) || others >= alone || others < alone/2 {
		t.Errorf("a cell has %g, and %g beside requests; each of three requests has %g", alone, others, each)
	}
}

// All requests together are called changed no more often than their part of alpha allows: here 12 of 400 at most in the mean.
func TestUnchangedRequestsAreRarelyCalledChanged(t *testing.T) {
	const runs, alpha = 400, 0.03
	called := 0
	for seed := range uint64(runs) {
		p := Comparisons(ofWeb(seed, 0.15, 40, 300, nil))[0]
		if all := requests(p, requestSamples(p, p.Rounds[:8]), alpha); len(all) != 40 {
			t.Fatal(len(all))
		} else if v := all[0].Verdict; v == Regressed || v == Improved {
			called++
		}
	}
	if called < 3 || called > 24 {
		t.Errorf("%d of %d runs", called, runs)
	}
}
