package sse

import (
	"net"
	"strings"
	"testing"
	"time"

	"fairstream/k6/common/http1"
	"fairstream/k6/common/moduletest"
)

// endless repeats bytes in pieces that fill the socket, until the client has left.
func endless(w net.Conn, text string) {
	for piece := []byte(strings.Repeat(text, 1+(1<<20)/len(text))); ; {
		if _, err := w.Write(piece); err != nil {
			return
		}
	}
}

// leaves waits until the server sees the end of its connection.
func leaves(t *testing.T, left <-chan struct{}) {
	select {
	case <-left:
	case <-time.After(10 * time.Second):
		t.Error("the connection is kept")
	}
}

// A server that sends faster than is parsed leaves no read that finds nothing. Its
// stream ends all the same: as soon as the verdict is known, or by its timeout.
func TestAFloodEnds(t *testing.T) {
	tokens := chunk(tokenEvent(0, ""))
	closing := strings.Replace(header200, "Transfer-Encoding: chunked", "Connection: close", 1)
	for name, test := range map[string]struct {
		begin, flood string
		ask
		kind, error string
	}{
		"tokens, more than are due": {header200, tokens, ask{tokens: 5}, misnumbered, "token 0 came when 1 was due"},
		"tokens, any number":        {header200, tokens, ask{timeoutMS: 300}, http1.TimedOut, "no end after 300ms"},
		"no event":                  {header200, chunk(": ping\n\n"), ask{tokens: 5, timeoutMS: 300}, http1.TimedOut, "0 tokens"},
		"no framing":                {closing, ": ping\n\n", ask{tokens: 5, timeoutMS: 300}, http1.TimedOut, "0 tokens"},
		"after the end":             {whole(5)[:len(whole(5))-len(chunk(""))], tokens, ask{tokens: 5}, afterDone, "bytes after [DONE]"},
		"trailers":                  {whole(5)[:len(whole(5))-len("\r\n")], "Trailer: t\r\n", ask{tokens: 5}, http1.Malformed, "trailers longer than 4 KiB"},
		"a refusal":                 {strings.Replace(closing, "200 OK", "500 No", 1), "no", ask{timeoutMS: 300}, http1.TimedOut, "0 tokens"},
		"a header":                  {"HTTP/1.1 200 OK\r\n", "A: b\r\n", ask{tokens: 5}, http1.Malformed, "header"},
	} {
		t.Run(name, func(t *testing.T) {
			left := make(chan struct{})
			s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
				moduletest.Write(w, test.begin)
				endless(w, test.flood)
				close(left)
				return false
			})
			v := testVU(t)
			a := v.post(t, s.URL, test.ask)
			// A quick machine comes to the bound of an answer before the timeout.
			long := test.kind == http1.TimedOut && a.Kind == http1.Malformed && strings.Contains(a.Error, "longer than 1 GiB")
			if !long && (a.Kind != test.kind || !strings.Contains(a.Error, test.error)) {
				t.Errorf("%q: %s; want %q, %s", a.Kind, a.Error, test.kind, test.error)
			}
			leaves(t, left)
		})
	}
}

// Of tokens in order, too, no more than one is taken beyond those that are due.
func TestTooManyTokensAreNotWaitedFor(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
		moduletest.Write(w, header200)
		for i := range 6 {
			moduletest.Write(w, chunk(tokenEvent(i, "")))
		}
		<-hold
		return false
	})
	if a := testVU(t).post(t, s.URL, ask{tokens: 5}); a.Kind != miscounted || a.Error != "more than 5 tokens" || a.Tokens != 6 {
		t.Errorf("%+v", a)
	}
}

// The end of the run ends a flood, too.
func TestAFloodIsInterrupted(t *testing.T) {
	v := testVU(t)
	ctx, cancel := contextOf(t)
	v.ctx = ctx
	s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
		moduletest.Write(w, header200)
		time.AfterFunc(100*time.Millisecond, cancel)
		endless(w, chunk(": ping\n\n"))
		return false
	})
	if a := v.post(t, s.URL, ask{}); a.Kind != http1.Interrupted {
		t.Errorf("%+v", a)
	}
}
