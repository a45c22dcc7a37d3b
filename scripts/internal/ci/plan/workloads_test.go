package plan

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
	"fairstream/scripts/internal/workload/workloadtest"
)

// twoRigs are the sources that load and answer two workloads, as short as may be.
var twoRigs = map[string]string{
	"k6/go.mod":               "module fairstream/k6\n\ngo 1.26.0\n",
	"k6/relay/steady.js":      "import '../lib/stream.js';\n",
	"k6/made-up/calm.js":      "import { get } from 'k6/x/plain';\n",
	"k6/lib/stream.js":        "import sse from 'k6/x/sse';\n",
	"k6/sse/sse.go":           "package sse\n\nimport _ \"fairstream/k6/common\"\n",
	"k6/plain/plain.go":       "package plain\n\nimport _ \"fairstream/k6/common\"\n",
	"k6/common/watch.go":      "package common\n",
	"stub/go.mod":             "module fairstream/stub\n\ngo 1.26.0\n",
	"stub/relay/answer.go":    "package relay\n",
	"stub/made-up/answer.go":  "package madeup\n",
	"servers/made-up/a/x.txt": "", "servers/made-up/a/server.json": "", "servers/made-up/b/server.json": "",
}

// newWorldOfTwo is a world with a made-up workload beside relay.
func newWorldOfTwo(t *testing.T) *world {
	t.Helper()
	workloadtest.Add(t)
	w := newWorld(t)
	for name, text := range twoRigs {
		testfile.Write(t, filepath.Join(w.Root, name), text)
	}
	w.change(t, "README.md")
	return w
}

// published2 makes a history: commits, oldest first, and the servers of each with their workloads.
func (w *world) published2(lines ...[2]string) {
	w.Published = func(ctx context.Context, commit string) (all []PublishedCommit, err error) {
		for _, line := range slices.Backward(lines) {
			all = append(all, PublishedCommit{Commit: line[0], Servers: func(context.Context) (servers []workload.Server, err error) {
				for _, name := range strings.Fields(line[1]) {
					s, err := workload.Parse(name)
					if err != nil {
						return nil, err
					}
					servers = append(servers, s)
				}
				return servers, nil
			}})
		}
		return all, nil
	}
}

// The schedule measures all workloads, and a push those that it touches.
func TestAPushMeasuresTheWorkloadsThatItTouches(t *testing.T) {
	w := newWorldOfTwo(t)
	start, both := w.main, "go-http go-gin made-up/a made-up/b"
	for _, c := range []struct {
		name, event, file string
		published         string // servers of the commit before; "": nothing is published
		want              string // workloads
	}{
		{"the first", "push", "README.md", "", "relay made-up"},
		{"a workload that is new", "push", "README.md", "go-http go-gin", "made-up"},
		{"the tool", "push", "scripts/cmd/run.go", both, ""},
		{"a text of the rig", "push", "k6/README.md", both, ""},
		{"a server", "push", "servers/made-up/a/x.txt", both, "made-up"},
		{"another server", "push", "servers/relay/go-http/main.go", both, "relay"},
		{"scripts", "push", "k6/made-up/calm.js", both, "made-up"},
		{"what scripts import", "push", "k6/lib/stream.js", both, "relay"},
		{"a module of k6", "push", "k6/plain/plain.go", both, "made-up"},
		{"what all modules import", "push", "k6/common/watch.go", both, "relay made-up"},
		{"a script that nothing imports", "push", "k6/lib/other.js", both, ""},
		{"a part of the stub", "push", "stub/made-up/answer.go", both, "made-up"},
		{"another part of the stub", "push", "stub/relay/answer.go", both, "relay"},
		{"the schedule", "schedule", "README.md", both, "relay made-up"},
		{"by hand", "workflow_dispatch", "README.md", both, "relay made-up"},
	} {
		w.git(t, "reset", "-q", "--hard", start)
		w.published2()
		if c.published != "" {
			w.published2([2]string{start, c.published})
		}
		w.change(t, c.file)
		got, err := w.Make(t.Context(), w.event(c.event, "{}"))
		if err != nil || strings.Join(got.Workloads(), " ") != c.want || len(got.Scenarios) != len(got.Workloads()) {
			t.Errorf("%s: %q with scenarios %q, %v; want %q", c.name, got.Workloads(), got.Scenarios, err, c.want)
		}
		if says := "relay, made-up: no server and no part of the rig changed"; (c.want == "") != strings.HasPrefix(got.Say, says) || c.want == "" && len(got.Together()) > 0 {
			t.Errorf("%s: %q, leaderboards %+v; want %q if nothing is loaded", c.name, got.Say, got.Together(), says)
		}
	}
}

// Each workload is compared with its own newest figures: another push may have published without it.
func TestAWorkloadIsHeldToItsOwnNewestFigures(t *testing.T) {
	w := newWorldOfTwo(t)
	start := w.main
	relayOnly := w.change(t, "servers/relay/go-http/main.go", "k6/made-up/calm.js")
	w.change(t, "README.md")
	w.published2([2]string{start, "go-http made-up/a"}, [2]string{relayOnly, "go-http"})
	got, err := w.Make(t.Context(), w.event("push", "{}"))
	if err != nil || strings.Join(got.Workloads(), " ") != "made-up" || len(got.Comparisons) > 0 {
		t.Errorf("%q, comparisons %+v, %v; want made-up, whose rig changed", got.Workloads(), got.Comparisons, err)
	}
}

// A push that touches nothing still repeats a comparison without a verdict.
func TestADueComparisonIsReasonEnough(t *testing.T) {
	w, c := drift(t, 2)
	w.compared(step(c[0], c[1], verdict.Unchanged, 0), step(c[1], c[2], verdict.Inconclusive, 0))
	w.change(t, "scripts/cmd/run.go")
	w.plans(t, "without a verdict", "push", c[1], false)
	w.compared(step(c[0], c[1], verdict.Unchanged, 0), step(c[1], c[2], verdict.Unchanged, 0))
	if got, err := w.Make(t.Context(), w.event("push", "{}")); err != nil || len(got.Servers) > 0 || got.Say == "" {
		t.Errorf("with a verdict: %+v, %v; want nothing to load", got, err)
	}
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
		inputs("workloads", "relay", "scenarios", "calm"):          `scenario "calm": unknown; known are baseline, compare, soak, steady, stress`,
		inputs("servers", "go-gin made-up/a", "scenarios", "calm"): `workload relay: it has no scenario calm; it has baseline, compare, soak, steady, stress`,
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
