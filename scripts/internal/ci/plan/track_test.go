package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// drift is a world of main whose go-http changes at each of some commits, all published.
func drift(t *testing.T, n int) (w *world, commits []string) {
	w = newWorld(t)
	commits = []string{w.first}
	published := []any{w.first, "go-http go-gin"}
	for range n {
		commits = append(commits, w.change(t, "servers/relay/go-http/main.go"))
		published = append(published, w.main, "go-http go-gin")
	}
	w.published(published...)
	return w, commits
}

// compared makes events of go-http, each of a base and a head.
func (w *world) compared(events ...verdict.Event) {
	for i := range events {
		events[i].Workload, events[i].Server = "relay", "go-http"
	}
	w.Events = func(context.Context, string) ([]verdict.Event, error) { return events, nil }
}

// step is an event with a change of CPU time in steady. The standard error of the change is 0.3 %.
func step(base, head string, v verdict.Verdict, change float64) verdict.Event {
	const within = 0.003 * 2.2 // t of 11 degrees of freedom
	return verdict.Event{Base: base, Head: head, Verdict: v, Cells: []verdict.EventCell{{
		Scenario: "steady", Metric: "server_cpu_us_per_stream", Verdict: v, Change: change, Low: change - within, High: change + within, Rounds: 12,
	}}}
}

// plans wants one comparison of go-http, or none without a base.
func (w *world) plans(t *testing.T, name, event string, base string, gradual bool) {
	t.Helper()
	var want []Comparison
	if base != "" {
		want = []Comparison{{Server: relay("go-http")[0], Base: base, Gradual: gradual}}
	}
	got, err := w.Make(t.Context(), w.event(event, "{}"))
	if err != nil || !reflect.DeepEqual(got.Comparisons, want) {
		t.Errorf("%s: comparisons %+v, %v; want %+v", name, got.Comparisons, err, want)
	}
}

// A release in a drift changes nothing, wherever it is: a release accepts nothing.
func TestReleasesChangeNothing(t *testing.T) {
	w, commits := drift(t, 6)
	random := rand.New(rand.NewPCG(1, 0))
	for range 4 {
		w.Accepted = nil
		if random.IntN(2) == 0 {
			w.Accepted = map[workload.Server][]string{relay("go-http")[0]: {commits[random.IntN(4)]}}
		}
		event := []string{"push", "schedule"}[random.IntN(2)]
		want, err := w.Make(t.Context(), w.event(event, "{}"))
		if err != nil || len(want.Comparisons) != 1 {
			t.Fatalf("%+v, %v; want a comparison of go-http", want, err)
		}
		var tags []string
		for i, commit := range commits {
			if random.IntN(3) == 0 {
				tag := fmt.Sprint("v", i)
				w.git(t, "tag", tag, commit)
				tags = append(tags, tag)
			}
		}
		if got, err := w.Make(t.Context(), w.event(event, "{}")); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s with the releases %q: %+v, %v; want %+v", event, tags, got, err, want)
		}
		for _, tag := range tags {
			w.git(t, "tag", "-d", tag)
		}
	}
}

// A comparison without a verdict is repeated with its own base: by the next push, and as part of
// later changes.
func TestAComparisonWithoutAVerdictIsRepeated(t *testing.T) {
	w, c := drift(t, 9)
	yes, no := verdict.Unchanged, verdict.Inconclusive
	before := []verdict.Event{step(c[0], c[1], yes, 0), step(c[1], c[2], yes, 0)}
	push := func(name, base string, events ...verdict.Event) {
		t.Helper()
		w.compared(append(before, events...)...)
		w.main = c[9]
		w.plans(t, name, "push", base, false)
	}
	decided := []verdict.Event{step(c[2], c[3], yes, 0), step(c[3], c[4], yes, 0), step(c[4], c[5], yes, 0), step(c[5], c[6], yes, 0), step(c[6], c[7], yes, 0)}
	push("all decided", c[8], append(decided, step(c[7], c[8], yes, 0))...)
	push("regressed is decided", c[8], append(decided, step(c[7], c[8], verdict.Regressed, 0.1))...)
	push("the last inconclusive", c[7], append(decided, step(c[7], c[8], no, 0))...)
	push("the last not measured", c[7], append(decided, step(c[7], c[8], verdict.NotMeasured, 0))...)
	push("the last lost", c[7], decided...)
	push("two lost", c[6], decided[:4]...)
	push("repeated in vain", c[6], append(decided[:4], step(c[6], c[7], no, 0), step(c[6], c[8], no, 0))...)
	push("repeated with a verdict", c[8], append(decided[:4], step(c[6], c[7], no, 0), step(c[6], c[8], yes, 0))...)
	push("six lost: five are enough", c[3])

	// A push that leaves the server as it is repeats the comparison once.
	other := w.change(t, "servers/relay/go-gin/README.md")
	w.published(c[7], "go-http", c[8], "go-http", c[9], "go-http")
	last := append(before, decided...)
	w.compared(append(last, step(c[7], c[8], yes, 0), step(c[8], c[9], no, 0))...)
	w.plans(t, "the next push", "push", c[8], false)
	w.published(c[7], "go-http", c[8], "go-http", c[9], "go-http", other, "go-http")
	w.change(t, "servers/relay/go-gin/README.md")
	w.plans(t, "the push after the next", "push", "", false)
	w.change(t, "servers/relay/go-http/main.go")
	w.plans(t, "a change later", "push", c[8], false)
}

// A sum of changes that climbs is compared with the commit where it began.
func TestASumThatClimbsIsConfirmed(t *testing.T) {
	w, c := drift(t, 9)
	events := []verdict.Event{step(c[0], c[1], verdict.Unchanged, 0), step(c[1], c[2], verdict.Unchanged, -0.001)}
	for i := 3; i <= 8; i++ {
		events = append(events, step(c[i-1], c[i], verdict.Unchanged, 0.005))
	}
	for _, event := range []string{"push", "schedule"} {
		w.compared(events...)
		w.plans(t, event, event, c[2], true)
	}
	w.compared(events[:4]...)
	w.plans(t, "too small yet", "schedule", c[0], true)
	unread := w.Events
	w.Events = func(ctx context.Context, commit string) ([]verdict.Event, error) {
		_, err := unread(ctx, commit)
		return nil, fmt.Errorf("no branch: %v", err)
	}
	if _, err := w.Make(t.Context(), w.event("push", "{}")); err == nil {
		t.Error("events that cannot be read: want an error")
	}
}
