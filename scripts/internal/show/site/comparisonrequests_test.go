package site

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/verdict/comparetest"
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
	v := comparisonOf(records, verdict.Compare(records)).Servers[0]
	want := []string{"100 %", "p95 ms", "2", "3", "+50.0\u00a0%", "+50.0 to +50.0\u00a0%", "regressed"}
	if len(v.Requests.Rows) != 1 || v.Requests.Rows[0].Name.Text != "GET /?" || v.More != "" || !strings.Contains(v.Sentence, "by request: GET /? p95 +50.0\u00a0%") {
		t.Fatalf("%+v; %s", v.Requests, v.Sentence)
	}
	for i, c := range v.Requests.Rows[0].Cells {
		if c.Text != want[i] {
			t.Errorf("cell %d: %q, want %q", i, c.Text, want[i])
		}
	}
}
