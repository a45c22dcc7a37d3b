package site

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/compare/comparetest"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

// A comparison of mixed requests has the table of requests by name.
func TestAComparisonHasItsRequests(t *testing.T) {
	var records []record.Record
	for round := range verdict.Rounds {
		records = append(records, comparetest.Requests(workload.Named("web"), "shop", 7, round+1, verdict.Rounds, nil)...)
	}
	for i := range records {
		p50, p95 := 1.0, 2.0
		if records[i].Server.Side == "head" {
			p95 = 3
		}
		records[i].Requests = []record.Request{{Name: "GET /\u202e", Requests: 300, P50: &p50, P95: &p95, SharePct: 100}}
	}
	v := newComparison(records, verdict.Compare(records)).Verdicts[0]
	want := answer.RequestRow{Name: "GET /?", Share: "100 %", Metric: "p95 ms", Base: "2", Head: "3", Change: "+50.0 %", Interval: "+50.0 to +50.0 %", Result: "regressed"}
	if len(v.Requests) != 1 || v.Requests[0] != want || v.MoreRequests != 0 || !strings.Contains(v.Headline, "by request: GET /? p95 +50.0 %") {
		t.Errorf("%+v; %s", v.Requests, v.Headline)
	}
}
