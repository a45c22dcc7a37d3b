package branch

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// An accepted regression is shown as accepted. A partly accepted one alerts.
func TestAcceptedRegressionsAreShownAndDoNotAlert(t *testing.T) {
	p := plan.Plan{Kind: plan.Main, Revision: strings.Repeat("b", 40), Comparisons: []plan.Comparison{{Server: workload.Server{Workload: "relay", Name: "go-http"}, Base: strings.Repeat("a", 40)}}}
	of := func(factors map[string]float64) Verdict {
		records := paired("go-http", factors)
		uploads := artifact.Result{Comparisons: map[string][]record.Record{"comparison.relay.go-http": records, "confirm.relay.go-http": records}}
		verdicts := Verdicts(p, uploads, "77")
		return verdicts[0]
	}
	acceptance := func(scenario, metric string) []accept.Acceptance {
		return []accept.Acceptance{{File: "a.json", Workload: "relay", Server: "go-http", Scenario: scenario, Metric: metric, Since: p.Revision, Reason: "`x` @all", By: "Ann"}}
	}
	slower, fails, same := of(map[string]float64{"rate_per_s": 0.9, "stream_p95_ms": 1.3}), of(map[string]float64{"fail": 1}), of(map[string]float64{})
	for _, c := range []struct {
		name        string
		of          Verdict
		acceptances []accept.Acceptance
		alerts      bool
		lines       int
	}{
		{"slower", slower, nil, true, 0},
		{"one of two cells", slower, acceptance("stress", "rate_per_s"), true, 1},
		{"both cells", slower, acceptance("stress*", "*"), false, 2},
		{"another cell", slower, acceptance("stress-*", "*"), true, 0},
		{"all cells", slower, acceptance("*", "*"), false, 2},
		{"fails", fails, nil, true, 0},
		{"fails, and a cell is accepted", fails, acceptance("*", "rate_per_s"), true, 0},
		{"fails, and all is accepted", fails, acceptance("*", "*"), false, 1},
		{"nothing changed", same, acceptance("*", "*"), false, 0},
	} {
		c.of.Acceptances = c.acceptances
		var b strings.Builder
		WriteVerdicts(&b, p, []Verdict{c.of})
		text := b.String()
		if got := c.of.Alerts(); got != c.alerts || strings.Count(text, ": accepted by `Ann`") != c.lines {
			t.Errorf("%s: alerts %t, want %t, and %d accepted:\n%s", c.name, got, c.alerts, c.lines, text)
		}
		if regressed := c.of.Answer.Verdict == verdict.Regressed; strings.Contains(text, " (accepted).") != (regressed && !c.alerts) || regressed != strings.Contains(text, "regressed") {
			t.Errorf("%s:\n%s", c.name, text)
		}
		if c.lines > 0 && !strings.Contains(text, "`'x' @all` (gh-pages/accepted/a.json)") {
			t.Errorf("%s: the reason is missing, or may mean something:\n%s", c.name, text)
		}
	}
}
