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
				for i, m := range record.Table("relay") {
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

// Six rounds that all differ have p = 0.002. That is a change where nothing else is
// tested, and none where five cells share the risk of 1 %.
func TestBenchstatsRiskIsThatOfAllCells(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		others int // metrics that do not differ
		want   string
	}{{0, "+100.00% (p=0.002 n=6)"}, {4, "~ (p=0.002 n=6)"}} {
		var records []record.Record
		for round := 1; round <= 6; round++ {
			for side, name := range []string{"base", "head"} {
				cost, same := float64((side+1)*1000), 5.0
				r := record.Record{Scenario: "steady", Round: round, Status: record.OK, Metrics: record.Metrics{"server_cpu_us_per_stream": &cost}}
				r.Server.Name, r.Server.Side = "go-http", name
				for _, metric := range []string{"ttft_p95_ms", "itl_p99_ms", "server_rss_peak_bytes", "server_rss_slope_bytes_per_stream"}[:c.others] {
					r.Metrics[metric] = &same
				}
				records = append(records, r)
			}
		}
		got, err := Benchstat(t.Context(), root, records)
		if err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%d other cells: %v, no %q in\n%s", c.others, err, c.want, got)
		}
	}
}
