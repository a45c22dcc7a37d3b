package plan

import (
	"context"
	"reflect"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
)

// While the noise history of a server is short, each run that nobody waits for compares the server
// with itself. Lines of an older epoch do not count.
func TestAShortNoiseHistoryGrows(t *testing.T) {
	w := newWorld(t)
	var lines []verdict.NoiseHistory
	add := func(n int, server, epoch string) {
		for range n {
			lines = append(lines, verdict.NoiseHistory{Workload: "relay", Server: server, Epoch: epoch})
		}
	}
	w.published(w.first, "go-http go-gin")
	w.change(t, "README.md")
	w.NoiseHistory = func(context.Context) ([]verdict.NoiseHistory, error) { return lines, nil }
	same := func(servers ...string) (all []Comparison) {
		for _, s := range relay(servers...) {
			all = append(all, Comparison{Server: s, Base: w.main, Same: true})
		}
		return all
	}
	plans := func(name, event, payload string, want []Comparison) {
		t.Helper()
		got, err := w.Make(t.Context(), w.event(event, payload))
		if err != nil || !reflect.DeepEqual(got.Comparisons, want) {
			t.Errorf("%s: %+v, %v; want %+v", name, got.Comparisons, err, want)
		}
	}
	plans("a new installation", "schedule", "{}", same("go-gin", "go-http"))
	plans("by hand", "workflow_dispatch", "{}", same("go-gin", "go-http"))
	plans("some by hand", "workflow_dispatch", inputs("servers", "go-gin"), same("go-gin"))
	plans("a push, somebody waits", "push", "{}", nil)
	plans("quick, it measures little", "workflow_dispatch", inputs("quick", "true"), nil)
	add(verdict.LeastNoiseHistory, "go-http", "a")
	add(verdict.LeastNoiseHistory-1, "go-gin", "a")
	plans("enough of one server", "schedule", "{}", same("go-gin"))
	add(1, "go-gin", "a")
	plans("enough of all", "schedule", "{}", nil)
	add(1, "go-http", "b")
	plans("a new machine", "schedule", "{}", same("go-http"))
	w.change(t, "servers/relay/go-http/main.go")
	plans("another comparison goes first", "schedule", "{}", []Comparison{{Server: relay("go-http")[0], Base: w.first, Gradual: true}})
	bad := Plan{Kind: Main, Revision: w.main, Servers: relay("go-gin"), Scenarios: map[string]string{"relay": "stress"}, Rounds: 1}
	for _, c := range []Comparison{{Server: relay("go-gin")[0], Base: w.main}, {Server: relay("go-gin")[0], Base: w.first, Same: true}} {
		bad.Comparisons = []Comparison{c}
		if bad.check() == nil {
			t.Errorf("%+v: want a refusal", c)
		}
	}
}
