package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestJournalHoldsWhatARequestSaidAndHowItEnded(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	beforeUS := time.Now().UnixMicro()
	for _, usage := range []bool{false, true} {
		c.write(post(chatBody("@id=a @tokens=3 @itl=1ms", usage), "X-Test: one", "X-Test: two"))
		c.receive()
	}
	c.ask(chatBody("@id=b @tokens=0 @itl=0s", false))
	c.ask(chatBody("@tokens=0 @itl=0s", false))
	afterUS := time.Now().UnixMicro()

	var entries []entry
	c.get("/journal/a", &entries)
	if len(entries) != 2 {
		t.Fatalf("%d entries, want 2: %+v", len(entries), entries)
	}
	for i, e := range entries {
		usage := i == 1
		wantEvents := 1 + 3 + 1 + 1 // role, tokens, finish, [DONE]
		if usage {
			wantEvents++
		}
		if e.Connection != 1 || e.Method != "POST" || e.Path != "/v1/chat/completions" ||
			e.Body != chatBody("@id=a @tokens=3 @itl=1ms", usage) || strings.Join(e.Header["X-Test"], " ") != "one two" {
			t.Errorf("entry %d is not the request: %+v", i, e)
		}
		if e.Outcome != "completed" || e.Events != wantEvents {
			t.Errorf("entry %d: outcome %q after %d events, want completed after %d", i, e.Outcome, e.Events, wantEvents)
		}
		if e.StartedUS < beforeUS || e.EndedUS < e.StartedUS || e.EndedUS > afterUS {
			t.Errorf("entry %d: from %d to %d, want within %d to %d", i, e.StartedUS, e.EndedUS, beforeUS, afterUS)
		}
	}
	var other []entry
	if c.get("/journal/b", &other); len(other) != 1 || other[0].Events != 3 {
		t.Errorf("got %+v, want one entry with 3 events", other)
	}
}

func TestJournalOfAnUnknownIDIsEmpty(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	c.ask(chatBody("@tokens=0 @itl=0s", false))
	for _, id := range []string{"", "1", "nobody"} {
		var raw json.RawMessage
		if c.get("/journal/"+id, &raw); string(raw) != "[]" {
			t.Errorf("journal of %q: %s", id, raw)
		}
	}
}

func TestEntryHasNoOutcomeBeforeItsEnd(t *testing.T) {
	_, addr := start(t)
	next := dial(t, addr).begin(chatBody("@id=a @itl=1h", false))
	next() // the role
	var entries []map[string]any
	dial(t, addr).get("/journal/a", &entries)
	if len(entries) != 1 {
		t.Fatalf("%d entries, want 1", len(entries))
	}
	for _, key := range []string{"outcome", "ended_us"} {
		if v, ok := entries[0][key]; ok {
			t.Errorf("%s is %v in the midst of the stream", key, v)
		}
	}
}

func TestJournalForgetsTheOldestID(t *testing.T) {
	j := &newStub().journal
	id := func(i int) string { return fmt.Sprint("id-", i) }
	first := j.add(id(0), entry{})
	for i := 1; i <= maxIDs+1; i++ {
		j.add(id(i), entry{Connection: int64(i)})
		j.add(id(i), entry{Connection: int64(i)})
	}
	if len(j.entries) != maxIDs || len(j.order) != maxIDs {
		t.Errorf("%d ids, %d in order, want %d", len(j.entries), len(j.order), maxIDs)
	}
	for i, want := range map[int]int{0: 0, 1: 0, 2: 2, maxIDs + 1: 2} {
		if got := j.find(id(i), false); len(got) != want {
			t.Errorf("%d entries of id %d, want %d", len(got), i, want)
		}
	}
	j.update(first, func(e *entry) { e.Events++ }) // its stream may still be running
	if first.Events != 1 {
		t.Error("an entry that was forgotten is not updated")
	}
}

func TestJournalForgetsTheOldestEntryOfAnID(t *testing.T) {
	j := &newStub().journal
	for i := range maxEntriesID + 3 {
		j.add("a", entry{Connection: int64(i)})
	}
	got := j.find("a", false)
	if len(got) != maxEntriesID || got[0].Connection != 3 || got[maxEntriesID-1].Connection != maxEntriesID+2 {
		t.Errorf("%d entries from %+v on, want %d from connection 3 on", len(got), got[0], maxEntriesID)
	}
}
