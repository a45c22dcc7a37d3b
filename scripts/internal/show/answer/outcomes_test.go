package answer

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// A limit is kept, not kept or unknown: the interval decides.
func TestLimitsHaveThreeStates(t *testing.T) {
	for want, l := range map[string]verdict.LimitCheck{
		"Head is within latency_p95_ms: 0.8 ms, limit 1 ms.":                             {Base: 0.7, Head: 0.8, Low: 0.7, High: 0.9},
		"Not sure that head is within latency_p95_ms: 1.22 ms (0.9 to 1.6), limit 1 ms.": {Base: 0.7, Head: 1.22, Low: 0.9, High: 1.6},
		"Base is over latency_p95_ms already: 1.5 ms, head 1.6 ms, limit 1 ms.":          {Base: 1.5, Head: 1.6, Low: 1.5, High: 1.7, BaseOver: true, HeadOver: true},
		"": {Base: 0.7, Head: 1.6, Low: 1.5, High: 1.7, HeadOver: true}, // the headline has it
	} {
		l.Limit = workload.Limit{Name: "latency_p95_ms", Most: 1, Unit: "ms"}
		a := verdict.Answer{Limits: []verdict.LimitCheck{l}}
		if got := strings.Join(limitSentences(a), " "); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// A headline names the requests that changed, and then those that lean.
func TestAHeadlineNamesRequests(t *testing.T) {
	of := func(name string, low, high float64, v verdict.Verdict) verdict.RequestCell {
		c := verdict.Cell{Criterion: workload.Criterion{Margin: 0.1}, Change: (low + high) / 2, Low: low, High: high, Verdict: v}
		c.Metric.Label, c.Metric.Better = "p95 ms", "lower"
		return verdict.RequestCell{Cell: c, Name: name}
	}
	a := verdict.Answer{Verdict: verdict.Unchanged, Requests: []verdict.RequestCell{
		of("GET /a", 0.5, 0.7, verdict.Regressed), of("GET /b", 0.5, 1.1, verdict.Inconclusive), of("GET /c", -0.1, 0.7, verdict.Inconclusive),
	}}
	if got, want := Headline(a), "by request: GET /a p95 +60.0 %, probably GET /b p95 +80.0 %"; !strings.HasSuffix(got, want) {
		t.Errorf("%q, want %q at its end", got, want)
	}
}
