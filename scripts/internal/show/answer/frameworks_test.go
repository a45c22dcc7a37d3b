package answer

import (
	"testing"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A framework stands beside the plain server of its language, and beside no other.
func TestAFrameworkBesideItsPlainServer(t *testing.T) {
	cost := workload.Named("agent").Cost.Metric
	var records []record.Record
	for round := 1; round <= 3; round++ {
		for server, us := range map[string]float64{"go-eino": 150, "go-http": 100, "node-ai-sdk": 400, "rust-axum": 80} {
			none, v := 0.0, us*float64(round)
			records = append(records, record.Record{
				Workload: "agent", Scenario: "turn", Round: round, Status: record.OK, Server: raw.Server{Name: server},
				Metrics: record.Metrics{rank.FailedPct: &none, cost: &v},
			})
		}
	}
	f := NewFrameworks(records)
	if len(f.Pairs) != 1 || f.Pairs[0].Server != "go-eino" || f.Pairs[0].Plain != "go-http" {
		t.Fatalf("pairs %v; want the one", f.Pairs)
	}
	known := 0
	for _, row := range f.Rows {
		if row.Added[0].Figure != rank.Unknown {
			known++
			if row.Label != "run of one turn, CPU: times" || row.Added[0].Figure != "1.50" {
				t.Errorf("%+v", row)
			}
		}
	}
	if known != 1 {
		t.Errorf("%d figures; want one", known)
	}
	for i := range records {
		records[i].Run.Quick = true
	}
	if f := NewFrameworks(records); f.Rows != nil {
		t.Errorf("of a quick run: %+v", f.Rows)
	}
}
