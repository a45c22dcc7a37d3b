package report

import (
	"fmt"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

// ofRequest is a cell of a request.
func ofRequest(name string, v verdict.Verdict, change, low, high, share float64) verdict.RequestCell {
	m, _ := record.Find("request_p95_ms")
	return verdict.RequestCell{Name: name, SharePct: share, Cell: verdict.Cell{
		Scenario: "mixed", Metric: m, Criterion: workload.Criterion{Scenario: "mixed", Metric: m.Name, Floor: 0.05, Margin: 0.1},
		Base: 10, Head: 10 * (1 + change), Change: change, Low: low, High: high, Verdict: v, Rounds: 4}}
}

func TestAHeadlineNamesRequests(t *testing.T) {
	cpu, _ := record.Find("server_cpu_us_per_request")
	rss, _ := record.Find("server_rss_peak_bytes")
	slower := verdict.Cell{Scenario: "mixed", Metric: cpu, Criterion: workload.Criterion{Margin: 0.03, Decides: "CPU"}, Change: 0.2, Verdict: verdict.Regressed}
	larger := verdict.Cell{Scenario: "stress-500", Metric: rss, Criterion: workload.Criterion{Margin: 0.05, Decides: "memory"}, Change: 0.2, Verdict: verdict.Regressed}
	same := verdict.Cell{Scenario: "mixed", Metric: cpu, Criterion: slower.Criterion, Low: -0.01, High: 0.01, Verdict: verdict.Unchanged}
	search := ofRequest("GET /search", verdict.Regressed, 0.41, 0.3, 0.5, 70)
	maybe := ofRequest("GET /x", verdict.Inconclusive, 0.12, 0.03, 0.2, 20)
	less := ofRequest("GET /y", verdict.Inconclusive, -0.1, -0.2, -0.01, 5)
	none := ofRequest("GET /", verdict.Unchanged, 0, -0.02, 0.02, 5)
	regressed := func(c verdict.Cell, of ...verdict.RequestCell) verdict.Answer {
		return verdict.Answer{Workload: "http", Verdict: c.Verdict, Cells: []verdict.Cell{c}, Requests: of}
	}
	for want, a := range map[string]verdict.Answer{
		"regressed: mixed CPU us/request +20.0 %; by request: GET /search p95 +41.0 %":     regressed(slower, search, maybe),
		"regressed: mixed CPU us/request +20.0 %; by request: probably GET /x p95 +12.0 %": regressed(slower, maybe, less, none),
		"regressed: mixed CPU us/request +20.0 %":                                          regressed(slower, none),
		"regressed: stress-500 peak RSS MB +20.0 %":                                        regressed(larger, maybe),
		"no change in CPU; by request: GET /search p95 +41.0 %":                            regressed(same, search, none),
		"no change in CPU": regressed(same, maybe),
		"no change in CPU; by request: " + strings.Repeat("GET /search p95 +41.0 %, ", 3) + "2 more": regressed(same, search, search, search, search, search),
	} {
		if got := answer.Headline(a); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestTheTableOfRequests(t *testing.T) {
	cpu, _ := record.Find("server_cpu_us_per_request")
	a := verdict.Answer{Workload: "http", Server: "shop", Verdict: verdict.Unchanged, Cells: []verdict.Cell{{Scenario: "mixed", Metric: cpu, Verdict: verdict.Unchanged}}}
	for i := range 2 {
		a.Requests = append(a.Requests, ofRequest(fmt.Sprintf("GET /%d|", i), verdict.Regressed, 0.41, 0.3, 0.5, 30))
	}
	for i := range 30 {
		a.Requests = append(a.Requests, ofRequest(fmt.Sprintf("GET /same/%d", i), verdict.Unchanged, 0, -0.02, 0.02, 1))
	}
	for format, wants := range map[string][]string{
		"text": {
			"  request       of the time  metric  base  head  change   95 % interval     verdict\n  GET /0|       30 %         p95 ms  10    14.1  +41.0 %  +30.0 to +50.0 %  regressed\n",
			"no change of 2.0 % or more\n  12 more requests took less of the time.\n",
		},
		"markdown": {
			"| request | of the time | metric |", "| GET /0\\| | 30 % | p95 ms | 10 | 14.1 | +41.0 % | +30.0 to +50.0 % | **regressed** |\n", "\n12 more requests took less of the time.\n",
		},
	} {
		var out strings.Builder
		if err := (Verdicts{Width: 1000, Reasons: true}).Write(&out, format, []verdict.Answer{a}); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in\n%s", want, out.String())
			}
		}
	}
	// Those that changed are all there.
	for i := range a.Requests {
		a.Requests[i].Verdict = verdict.Improved
	}
	if rows, more := answer.RequestRows(a); len(rows) != 32 || more != 0 {
		t.Errorf("%d rows, %d more", len(rows), more)
	}
	a.Requests = nil
	var out strings.Builder
	if err := (Verdicts{Width: 1000, Reasons: true}).Write(&out, "text", []verdict.Answer{a}); err != nil || strings.Contains(out.String(), "of the time") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
