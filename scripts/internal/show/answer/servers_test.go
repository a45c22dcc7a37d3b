package answer

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
)

// Servers without a change share a line. One that passes other checks than before has a line of its own.
func TestNewsOfChecksIsSaid(t *testing.T) {
	answers := []verdict.Answer{
		{Workload: "relay", Server: "go-gin", Verdict: verdict.Unchanged},
		{Workload: "relay", Server: "go-http", Verdict: verdict.Unchanged, Lost: []string{"C4 nodelay"}},
		{Workload: "relay", Server: "bun-http", Verdict: verdict.Unchanged, Gained: []string{"C7 stalled-reader"}},
	}
	got := Sentences(answers, nil)
	for _, want := range []string{
		"head no longer passes the optional check C4 nodelay",
		"head now passes the required check C7 stalled-reader",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
}
