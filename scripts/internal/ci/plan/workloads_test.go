package plan

import (
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/workload/workloadtest"
)

// newWorldOfTwo is a world with a made-up workload beside relay.
func newWorldOfTwo(t *testing.T) *world {
	t.Helper()
	workloadtest.Add(t)
	w := newWorld(t)
	w.change(t, "servers/made-up/a/server.json", "servers/made-up/b/server.json")
	return w
}

func TestWorkloadsByHand(t *testing.T) {
	w := newWorldOfTwo(t)
	usual := map[string]string{"relay": "baseline,steady,stress", workloadtest.MadeUp: "calm,stress"}
	one := func(name string) map[string]string { return map[string]string{name: usual[name]} }
	for _, c := range []struct {
		name, inputs string
		scenarios    map[string]string
		boards       string
	}{
		{"all", inputs(), usual, "relay.leaderboard made-up.leaderboard"},
		{"one", inputs("workloads", "made-up"), one("made-up"), "made-up.leaderboard"},
		{"both", inputs("workloads", "relay, made-up"), usual, "relay.leaderboard made-up.leaderboard"},
		{"a server", inputs("servers", "made-up/a"), one("made-up"), ""},
		{"servers of both", inputs("servers", "made-up/a go-http,go-gin"), usual, "relay.leaderboard"},
		{"a scenario of one", inputs("scenarios", "calm"), map[string]string{"made-up": "calm"}, "made-up.leaderboard"},
		{"a scenario of both", inputs("scenarios", "stress,calm"), map[string]string{"relay": "stress", "made-up": "stress,calm"}, "relay.leaderboard made-up.leaderboard"},
	} {
		got, err := w.Make(t.Context(), w.event("workflow_dispatch", c.inputs))
		var boards []string
		for _, job := range got.Together() {
			boards = append(boards, job.Name)
			if of, _, _ := strings.Cut(job.Name, "."); job.Scenarios != c.scenarios[of] || job.Details != job.Name+".details" {
				t.Errorf("%s: %+v", c.name, job)
			}
		}
		if err != nil || !reflect.DeepEqual(got.Scenarios, c.scenarios) || strings.Join(boards, " ") != c.boards {
			t.Errorf("%s: %q with leaderboards %q, %v; want %q with %q", c.name, got.Scenarios, boards, err, c.scenarios, c.boards)
		}
	}
	for payload, want := range map[string]string{
		inputs("workloads", "relais"):                              `workload "relais": unknown; known are relay, made-up`,
		inputs("workloads", "relay", "servers", "made-up/a"):       `server "made-up/a": unknown; known are relay/go-gin, relay/go-http`,
		inputs("workloads", "relay", "scenarios", "calm"):          `scenario "calm": unknown; known are baseline, soak, steady, stress`,
		inputs("servers", "go-gin made-up/a", "scenarios", "calm"): `workload relay: it has no scenario calm; it has baseline, soak, steady, stress`,
	} {
		if _, err := w.Make(t.Context(), w.event("workflow_dispatch", payload)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", payload, err, want)
		}
	}
}

// The servers of a pull request are of any workload, and share one rate.
func TestAPullRequestOfTwoWorkloads(t *testing.T) {
	w := newWorldOfTwo(t)
	base := w.main
	w.git(t, "checkout", "-q", "-B", "topic")
	w.topic = w.change(t, "servers/made-up/a/x.txt", "servers/relay/go-gin/main.go")
	w.git(t, "checkout", "-q", "main")
	w.main = base
	w.pull["head"].(map[string]any)["sha"] = w.topic
	got, err := w.Make(t.Context(), w.event("workflow_run", w.run(w.topic)))
	if err != nil || len(got.Jobs()) != 2 {
		t.Fatalf("%+v, %v; want two jobs", got, err)
	}
	for i, want := range []string{"made-up/a", "relay/go-gin"} {
		if job := got.Jobs()[i]; job.Servers != want || job.SharedBy != 2 || job.Scenarios != "" || len(got.Together()) > 0 {
			t.Errorf("job %+v; want %s, with a rate shared by 2", job, want)
		}
	}
}
