package events

import (
	"strings"
	"testing"
)

// all counts the events of a body.
type all int

func (n *all) Event([]byte) bool { *n++; return false }

// The memory between bodies does not grow with the longest event.
func TestALongEventIsNotKept(t *testing.T) {
	var r Reader
	var n all
	line := "data: " + strings.Repeat("x", 5*keptBytes) + "\n"
	if err := r.Feed([]byte(line+line+line), &n); err != nil {
		t.Fatal(err)
	}
	if held := cap(r.pending) + cap(r.joined); held < 5*keptBytes {
		t.Fatalf("%d bytes held; the test wants a long event", held)
	}
	r.Reset()
	if held := cap(r.pending) + cap(r.joined); held > 2*keptBytes {
		t.Errorf("%d bytes are kept", held)
	}
	if err := r.Feed([]byte("data: a\n\ndata: b\n\n"), &n); err != nil || n != 2 {
		t.Errorf("%d events, %v; want 2", n, err)
	}
}

func TestAnEventWithoutEndIsAnError(t *testing.T) {
	var r Reader
	var n all
	piece := []byte("data: " + strings.Repeat("x", 1<<20))
	for range maxEventBytes >> 20 {
		if err := r.Feed(piece, &n); err != nil {
			return
		}
	}
	t.Error("an event of more than 32 MiB is no error")
}

func TestContentTypes(t *testing.T) {
	for kind, want := range map[string]bool{"text/event-stream": true, "Text/Event-Stream ; charset=utf-8": true, "text/event-streams": false, "application/json": false, "": false} {
		if IsStream([]byte(kind)) != want {
			t.Errorf("%q: %v", kind, !want)
		}
	}
}
