package artifact

import (
	"fmt"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/verdict/comparetest"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

// declared are records of a comparison of a server that declares its requests. head describes its side.
func declared(t *testing.T, head func(*record.Record)) []record.Record {
	t.Helper()
	var records []record.Record
	for round := range verdict.Rounds {
		records = append(records, comparetest.Requests(workload.Named("http"), "shop", 7, round+1, verdict.Rounds, nil)...)
	}
	for i := range records {
		if records[i].Server.Side == "head" {
			head(&records[i])
		}
	}
	return records
}

// How head's requests differ from base's is head's alone. Package record limits how many there are.
func TestDifferencesOfRequestsAreChecked(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*record.Record)
		want   string
	}{
		"dropped":           {func(r *record.Record) { r.Server.Dropped = []string{"GET /a"} }, ""},
		"of base":           {func(r *record.Record) { r.Server.Side, r.Server.Added = "base", []string{"x"} }, "want them of head alone"},
		"of a relay":        {func(r *record.Record) { r.Workload, r.Server.Changed = "relay", []string{"x"} }, "want them of head alone"},
		"a margin of 99":    {func(r *record.Record) { r.Server.Margins = map[string]float64{"cpu_pct": 99} }, "server.margins: cpu_pct: 99 per cent"},
		"an unknown margin": {func(r *record.Record) { r.Server.Margins = map[string]float64{"<b>": 5} }, `server.margins: unknown key "<b>"`},
	} {
		r := good("shop", "mixed", 1)
		r.Workload, r.Server.Side = "http", "head"
		c.change(&r)
		if err := plain(r); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

// A pull request that widens its own margins and drops a request regresses all the same, and the headline says both.
func TestMarginsOfHeadDoNotHideItsRegression(t *testing.T) {
	const evil = "GET /`x`\n@everyone <img src=x>"
	hidden := declared(t, func(r *record.Record) {
		r.Server.Margins = map[string]float64{"cpu_pct": 50, "memory_pct": 50}
		r.Server.Dropped, r.Server.Added, r.Server.Changed = []string{evil}, []string{evil}, []string{evil}
		if cpu, known := r.Metrics.Get("server_cpu_us_per_request"); known {
			cpu *= 1.2
			r.Metrics["server_cpu_us_per_request"] = &cpu
		}
	})
	for i := range hidden {
		neutralise(&hidden[i])
	}
	a := verdict.Compare(Quoted(hidden))[0]
	got := answer.Headline(a)
	const label = "`GET /'x' @everyone <img src=x>`"
	for _, want := range []string{
		"regressed: mixed CPU us/request +", "head widens its CPU time margin from 3 to 50 %; this comparison still uses 3 %", "head widens its memory margin from 5 to 50 %",
		"head no longer sends " + label, "head also sends " + label, "head changes the content or weight of " + label,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if a.Verdict != verdict.Regressed || strings.Contains(strings.ReplaceAll(fmt.Sprintf("%q %q", got, a.Changes), label, ""), "everyone") {
		t.Errorf("%s %q: %s", a.Verdict, a.Changes, got)
	}
}

// Names of requests are a stranger's too. Package record holds their figures to limits.
func TestNamesOfRequestsAreHarmless(t *testing.T) {
	const evil = "GET /`x` @everyone <img src=x> é"
	r := good("go-http", "stress-100", 1)
	p50, p95 := 1.0, 2.0
	r.Requests = []record.Request{{Name: evil, Requests: 5, P50: &p50, P95: &p95, SharePct: 100}}
	before := text(t, r)
	quoted := Quoted([]record.Record{r})[0]
	if got, want := quoted.Requests[0].Name, "`GET /'x' @everyone <img src=x> ?`"; got != want || text(t, r) != before {
		t.Errorf("quoted %q; want %q, and the record as it was", got, want)
	}
	neutralise(&r)
	if got, want := r.Requests[0].Name, "GET /'x' @everyone <img src=x> ?"; got != want {
		t.Errorf("neutralised %q; want %q", got, want)
	}
}
