package collect

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

// What is acknowledged is shown, and said to be; what is not all of it alarms.
func TestAcknowledgedRegressionsAreShownAndDoNotAlarm(t *testing.T) {
	p := plan.Plan{Kind: plan.Main, Revision: strings.Repeat("b", 40), Pairs: []plan.Pair{{Server: workload.Server{Workload: "relay", Name: "go-http"}, Base: strings.Repeat("a", 40)}}}
	of := func(factors map[string]float64) Verdict {
		records := paired("go-http", factors)
		legs := artifact.Result{Pairs: map[string][]record.Record{"pair.relay.go-http": records, "confirm.relay.go-http": records}}
		verdicts, _ := Verdicts(p, legs, nil, "77")
		return verdicts[0]
	}
	ack := func(scenario, metric string) []accept.Ack {
		return []accept.Ack{{File: "a.json", Workload: "relay", Server: "go-http", Scenario: scenario, Metric: metric, Since: p.Revision, Reason: "`x` @all", By: "Ann"}}
	}
	slower, fails, same := of(map[string]float64{"rate_per_s": 0.9}), of(map[string]float64{"fail": 1}), of(map[string]float64{})
	for _, c := range []struct {
		name   string
		of     Verdict
		acks   []accept.Ack
		alarms bool
		lines  int
	}{
		{"slower", slower, nil, true, 0},
		{"one of two cells", slower, ack("stress-100", "rate_per_s"), true, 1},
		{"both cells", slower, ack("stress-*", "rate_per_s"), false, 2},
		{"another cell", slower, ack("stress-*", "stream_p95_ms"), true, 0},
		{"all cells", slower, ack("*", "*"), false, 2},
		{"fails", fails, nil, true, 0},
		{"fails, and a cell is acknowledged", fails, ack("*", "rate_per_s"), true, 0},
		{"fails, and all is acknowledged", fails, ack("*", "*"), false, 1},
		{"nothing changed", same, ack("*", "*"), false, 0},
	} {
		c.of.Acks = c.acks
		var b strings.Builder
		WriteVerdicts(&b, p, []Verdict{c.of})
		text := b.String()
		if got := c.of.Alarms(); got != c.alarms || strings.Count(text, ": acknowledged by `Ann`") != c.lines {
			t.Errorf("%s: alarms %t, want %t, and %d acknowledged:\n%s", c.name, got, c.alarms, c.lines, text)
		}
		if regressed := c.of.Answer.Verdict == verdict.Regressed; strings.Contains(text, " (acknowledged).") != (regressed && !c.alarms) || regressed != strings.Contains(text, "regressed") {
			t.Errorf("%s:\n%s", c.name, text)
		}
		if c.lines > 0 && !strings.Contains(text, "`'x' @all` (gh-pages/acks/a.json)") {
			t.Errorf("%s: the reason is missing, or may mean something:\n%s", c.name, text)
		}
	}
}
