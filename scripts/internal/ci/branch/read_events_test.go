package branch

import (
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
)

// Events come in the order of their commits. A broken file costs itself, and a shortened load and
// another branch count nothing.
func TestEventsOfAHistory(t *testing.T) {
	dir, first, second, third := threeCommits(t)
	var said []string
	say := func(line string) { said = append(said, line) }
	if events, err := Events(t.Context(), dir, Branch, third, say); err != nil || events != nil {
		t.Errorf("without a branch: %v, %v", events, err)
	}
	event := func(head, run string, quick bool) string {
		var text strings.Builder
		e := verdict.Event{Schema: verdict.EventSchema, Workload: "relay", Server: "go-http", Head: head, Run: run, Quick: quick, Verdict: verdict.Unchanged, Cells: []verdict.EventCell{}}
		if err := verdict.WriteEvents(&text, []verdict.Event{e}); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	files := map[string]string{second + "-8-1.json": event(second, "8-1", false)[:40], "note.json": "no JSON"}
	for _, e := range []struct {
		head, run string
		quick     bool
	}{{third, "3-1", false}, {first, "9-1", false}, {first, "1-1", false}, {second, "2-1", true}, {strings.Repeat("f", 40), "4-1", false}} {
		files[e.head+"-"+e.run+".json"] = event(e.head, e.run, e.quick)
	}
	keep(t, dir, "events", files)
	for head, want := range map[string][]string{third: {"1-1", "9-1", "3-1"}, second: {"1-1", "9-1"}} {
		events, err := Events(t.Context(), dir, Branch, head, say)
		var got []string
		for _, e := range events {
			got = append(got, e.Run)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("events of the runs %q, %v; want %q", got, err, want)
		}
	}
	if len(said) != 2 || !strings.Contains(said[0], second+"-8-1.json on gh-pages: events: ") || !strings.HasSuffix(said[0], "; its events are left out") {
		t.Errorf("said %q, want the broken file in both", said)
	}
}
