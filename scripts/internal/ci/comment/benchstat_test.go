package comment

import (
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// benchstat itself is asked, and for no more than what has verdicts.
func TestBenchstatHasTheCellsThatAreJudged(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	var records []record.Record
	for round := 1; round <= 6; round++ {
		for _, scenario := range []string{"steady", "stress-100"} {
			for _, side := range []string{"", "base", "head"} {
				r := record.Record{Scenario: scenario, Round: round, Status: record.OK, Metrics: record.Metrics{}}
				r.Server.Name, r.Server.Side = "go-http", side
				if side == "" {
					r.Server.Name = raw.Direct
				}
				for i, m := range record.Table {
					v := float64(1000*(i+1) + round)
					r.Metrics[m.Name] = &v
				}
				records = append(records, r)
			}
		}
	}
	got, err := Benchstat(t.Context(), root, records)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"│ rate_per_s": 2, "│ ttft_p95_ms": 2, "│ stream_p95_ms": 2, "stream_p50_ms": 0, "direct": 0,
		"go-http stress-100": 3, "go-http steady": 5,
	} {
		if n := strings.Count(got, text); n != want {
			t.Errorf("%q is there %d times, want %d:\n%s", text, n, want, got)
		}
	}
}
