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

// names are those of events.
type names struct {
	reader Reader
	all    []string
}

func (n *names) Event(data []byte) bool {
	n.all = append(n.all, string(n.reader.Name())+"="+string(data))
	return false
}

// An event has the name of its own field, wherever the body is cut.
func TestNamesOfEvents(t *testing.T) {
	const body = "event: stored\ndata: 1\n\ndata: 2\n\ndata: 3\nevent:token\n\nevents: x\ndata: 4\n\nevent: a\n\nevent: b\ndata: 5\ndata: 6\n\n"
	for size := 1; size <= len(body); size++ {
		var n names
		for at := 0; at < len(body); at += size {
			piece := []byte(body[at:min(at+size, len(body))])
			if err := n.reader.Feed(piece, &n); err != nil {
				t.Fatal(err)
			}
			clear(piece) // a reader keeps no piece
		}
		if got, want := strings.Join(n.all, " "), "stored=1 =2 token=3 =4 b=5\n6"; got != want {
			t.Fatalf("in pieces of %d bytes: %q; want %q", size, got, want)
		}
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
