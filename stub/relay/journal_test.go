package relay

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"fairstream/stub/common"
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

	var entries []common.Entry
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
	var other []common.Entry
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
