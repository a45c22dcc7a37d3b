package branch

import (
	"errors"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

func flagged(n int, run string) Run {
	r := runOf(n)
	r.Events = []verdict.Event{{Schema: verdict.EventSchema, Server: "go-http", Base: hash(n - 1), Head: hash(n), Run: run, Verdict: verdict.Unchanged, Cells: []verdict.EventCell{}}}
	return r
}

func TestComparisonsLeaveEvents(t *testing.T) {
	r := bare(t)
	publish(t, r, flagged(1, "1-1"))
	publish(t, r, flagged(2, "2-1"))
	before := git(t, r.URL, "rev-parse", Branch)
	publish(t, r, flagged(2, "2-1"))
	if after := git(t, r.URL, "rev-parse", Branch); after != before {
		t.Error("the same once more moved the branch")
	}
	path := record.EventsPath(runOf(2).Path)
	if want := "events/2026/11/" + hash(2) + "-2-1.json"; path != want {
		t.Fatalf("events are at %s, want %s", path, want)
	}
	events, err := verdict.ReadEvents(strings.NewReader(show(t, r, path)))
	if err != nil || len(events) != 1 || events[0].Head != hash(2) || events[0].Run != "2-1" {
		t.Errorf("events %+v, %v", events, err)
	}

	// The second attempt brings the first's comparison again, with one that is new.
	again := flagged(2, "2-1")
	again.Path = strings.Replace(again.Path, "-2-1.", "-2-2.", 1)
	again.Events = append(again.Events, flagged(2, "2-2").Events...)
	publish(t, r, again)
	events, err = verdict.ReadEvents(strings.NewReader(show(t, r, record.EventsPath(again.Path))))
	if err != nil || len(events) != 1 || events[0].Run != "2-2" {
		t.Errorf("events of the second attempt %+v, %v", events, err)
	}

	// A third one has nothing that is new.
	again.Path, again.Points = strings.Replace(again.Path, "-2-2.", "-2-3.", 1), nil
	before = git(t, r.URL, "rev-parse", Branch)
	publish(t, r, again)
	if after := git(t, r.URL, "rev-parse", Branch); after != before {
		t.Error("an attempt without anything new moved the branch")
	}
}

// Events of another attempt that nobody can read cost no run either, nor its own events.
func TestBrokenEventsAreLeftAsTheyAre(t *testing.T) {
	r := bare(t)
	publish(t, r, flagged(1, "1-1"))
	first := record.EventsPath(runOf(1).Path)
	overwrite(t, r, first, "[\n")
	again := flagged(1, "1-2")
	again.Path = strings.Replace(again.Path, "-1-1.", "-1-2.", 1)
	again.TrendRuns = []byte(`{"run":12}` + "\n")
	_, err := r.Publish(t.Context(), again, func(string) {})
	var broken *Broken
	if !errors.As(err, &broken) || broken.Path != first {
		t.Errorf("error %v", err)
	}
	if got := show(t, r, again.Path); got != `{"run":12}` {
		t.Errorf("the second attempt is %q", got)
	}
	if events, err := verdict.ReadEvents(strings.NewReader(show(t, r, record.EventsPath(again.Path)))); err != nil || len(events) != 1 || events[0].Run != "1-2" {
		t.Errorf("its events are %+v, %v", events, err)
	}
	if got := show(t, r, first); got != "[" {
		t.Errorf("the broken events were changed: %q", got)
	}
}

// overwrite changes a file on the branch, as nothing of ours does.
func overwrite(t *testing.T, r Remote, path, text string) {
	t.Helper()
	s, err := open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := s.fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	commit, err := s.commit(t.Context(), map[string][]byte{path: []byte(text)}, "broken")
	if err != nil || s.push(t.Context(), commit) != nil {
		t.Fatal(err)
	}
}

// Two workloads may have a server of one name. A rerun brings the comparison of the other one.
func TestEventsOfTwoWorkloadsAreTold(t *testing.T) {
	r := bare(t)
	publish(t, r, flagged(1, "1-1"))
	again := flagged(1, "1-1")
	again.Path = strings.Replace(again.Path, "-1-1.", "-1-2.", 1)
	again.Events[0].Workload = "relay"
	publish(t, r, again)
	events, err := verdict.ReadEvents(strings.NewReader(show(t, r, record.EventsPath(again.Path))))
	if err != nil || len(events) != 1 || events[0].Workload != "relay" {
		t.Errorf("events %+v, %v; want that of the other workload", events, err)
	}
}
