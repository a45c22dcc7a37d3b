package verdict

import (
	"slices"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// A server may have margins of its own. Only a change beyond them counts.
func TestMarginsOfAServerDecide(t *testing.T) {
	const cpu = "mixed server_cpu_us_per_request"
	for _, c := range []struct {
		change float64
		own    map[string]float64
		want   Verdict
	}{
		{1.05, nil, Regressed},
		{1.05, map[string]float64{"cpu_pct": 20}, Unchanged},
		{1.05, map[string]float64{"latency_pct": 20}, Regressed},
		{1.30, map[string]float64{"cpu_pct": 20}, Regressed},
	} {
		p := comparisonIn("http", 8, 0.002, map[string]float64{cpu: c.change})
		p.Margins = c.own
		if a := Judge(p, nil); a.Verdict != c.want || len(a.Margins) != len(c.own) {
			t.Errorf("%v with %v: %s, %v; want %s", c.change, c.own, a.Verdict, cellOf(a, cpu), c.want)
		}
	}
}

// What head's server.json says counts, since base may be an older file.
func TestMarginsAreReadFromRecordsOfHead(t *testing.T) {
	records := comparisonRecords(func(r *record.Record) {
		r.Server.Margins = map[string]float64{"cpu_pct": map[string]float64{"base": 5, "head": 10}[r.Server.Side]}
		r.Server.LeftOut = []string{"add"}
	})
	if a := Compare(records, nil)[0]; a.Margins["cpu_pct"] != 10 || !slices.Equal(a.LeftOut, []string{"add"}) {
		t.Errorf("margins %v, left out %q", a.Margins, a.LeftOut)
	}
}
