package verdict

import (
	"maps"
	"slices"
	"testing"

	"fairstream/scripts/internal/workload"
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
		if a := Judge(p); a.Verdict != c.want || len(a.Margins) != len(c.own) {
			t.Errorf("%v with %v: %s, %v; want %s", c.change, c.own, a.Verdict, cellOf(a, cpu), c.want)
		}
	}
}

// The narrower margin of both sides counts, and a change of head's file is named: of margins and of requests.
func TestMarginsAreReadFromRecordsOfBothSides(t *testing.T) {
	records := recordsIn(workload.Named("http"), 12, map[string]float64{"mixed server_cpu_us_per_request": 1.2})
	for i := range records {
		s := &records[i].Server
		if s.Side == "" {
			continue
		}
		s.Margins = map[string]float64{"cpu_pct": 5, "latency_pct": 20}
		if s.Side == "head" {
			s.Margins = map[string]float64{"cpu_pct": 50, "latency_pct": 15}
			s.LeftOut, s.Dropped, s.Added, s.Changed = []string{"add"}, []string{"GET /users", "old"}, []string{"GET /"}, []string{"a", "b", "c", "d"}
		}
	}
	a := Compare(records)[0]
	if a.Verdict != Regressed || !maps.Equal(a.Margins, map[string]float64{"cpu_pct": 5, "latency_pct": 15}) || !slices.Equal(a.LeftOut, []string{"add"}) {
		t.Errorf("%s, margins %v, left out %q", a.Verdict, a.Margins, a.LeftOut)
	}
	if want := []string{
		"widens its CPU time margin from 5 to 50 %; this comparison still uses 5 %", "narrows its latency margin from 20 to 15 %",
		"no longer sends GET /users, old", "also sends GET /", "changes the content or weight of a, b, c and others",
	}; !slices.Equal(a.Changes, want) {
		t.Errorf("%q\nwant %q", a.Changes, want)
	}
}
