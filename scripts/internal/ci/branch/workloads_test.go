package branch

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
	"fairstream/scripts/internal/workload/workloadtest"
)

// Two workloads have other charts and other scenarios, and servers of one name.
func TestEachWorkloadHasTablesOfItsOwn(t *testing.T) {
	workloadtest.Add(t)
	set := func(r record.Record, name string, v float64) record.Record {
		r.Metrics = record.Metrics{"failed_pct": new(float64), name: &v}
		return r
	}
	stress := set(one(t), "rate_x_direct", 0.8)
	calm := set(in(t, "baseline"), "server_cpu_x_rig", 1.5)
	calm.Workload, calm.Scenario = workloadtest.MadeUp, "calm"
	bigger, smaller := Points([]record.Record{calm, stress})
	if got := pointNames(bigger); len(got) != 1 || !strings.HasPrefix(got[0], "relay/go-http stress-200 x direct, ") {
		t.Errorf("bigger %q", got)
	}
	if got := pointNames(smaller); len(got) != 1 || !strings.HasPrefix(got[0], "made-up/go-http calm CPU x rig, ") {
		t.Errorf("smaller %q", got)
	}

	server := func(of, name string) workload.Server { return workload.Server{Workload: of, Name: name} }
	p := plan.Plan{
		Kind: plan.Main, Revision: strings.Repeat("ab", 20), Rounds: 1, Leaderboard: 3,
		Servers:   []workload.Server{server(workloadtest.MadeUp, "go-gin"), server(workloadtest.MadeUp, "go-http"), server("relay", "go-gin"), server("relay", "go-http")},
		Scenarios: map[string]string{"relay": "stress", workloadtest.MadeUp: "calm,stress"},
	}
	result := artifact.Result{
		Records:      map[string][]record.Record{"relay.go-http": {stress}, "made-up.go-http": {calm}},
		Leaderboards: map[string][]record.Record{workloadtest.MadeUp: {calm}},
	}
	var got strings.Builder
	if err := Summary(&got, p, result, ""); err != nil {
		t.Fatal(err)
	}
	text := got.String()
	for _, want := range []string{
		"**2 of 4 servers measured at `abababababab`**, no leaderboard of relay: rounds: 1, leaderboard rounds: 3; relay: stress; made-up: calm, stress.\n",
		"### Leaderboard of made-up: ", "### Trend runs: ", "| server | stress-100: x direct, ratio |", "| relay/go-http | ", "- epoch ",
		"\n\n| server | calm: CPU x rig, ratio |\n", "| made-up/go-http | 1.5 |\n", "- epoch ",
	} {
		_, rest, ok := strings.Cut(text, want)
		if !ok {
			t.Fatalf("no %q behind the one before it in:\n%s", want, got.String())
		}
		text = rest
	}
	message := Message(p, result.All(), result.Ranked(), "5", "1")
	for _, want := range []string{": records of made-up/go-http, relay/go-http, made-up.leaderboard\n", "Missing: made-up/go-gin, relay/go-gin, relay.leaderboard.\n"} {
		if !strings.Contains(message, want) {
			t.Errorf("no %q in:\n%s", want, message)
		}
	}
}
