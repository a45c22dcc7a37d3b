package sse

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

// endless repeats bytes in pieces that fill the socket, until the client has left.
func endless(w net.Conn, text string) {
	for piece := []byte(strings.Repeat(text, 1+(1<<20)/len(text))); ; {
		if _, err := w.Write(piece); err != nil {
			return
		}
	}
}

// A server that sends faster than is parsed leaves no read that finds nothing. Its
// stream ends all the same: as soon as the verdict is known, or by its timeout.
func TestAFloodEnds(t *testing.T) {
	tokens := chunk(tokenEvent(0, ""))
	closing := strings.Replace(header200, "Transfer-Encoding: chunked", "Connection: close", 1)
	for name, test := range map[string]struct{ begin, flood, params, kind, error string }{
		"tokens, more than are due": {header200, tokens, `{tokens: 5}`, misnumbered, "token 0 came when 1 was due"},
		"tokens, any number":        {header200, tokens, `{timeout_ms: 300}`, timedOut, "no end after 300ms"},
		"no event":                  {header200, chunk(": ping\n\n"), `{tokens: 5, timeout_ms: 300}`, timedOut, "0 tokens"},
		"no framing":                {closing, ": ping\n\n", `{tokens: 5, timeout_ms: 300}`, timedOut, "0 tokens"},
		"after the end":             {stream(5)[:len(stream(5))-len(chunk(""))], tokens, `{tokens: 5}`, afterDone, "bytes after [DONE]"},
		"trailers":                  {stream(5)[:len(stream(5))-len("\r\n")], "Trailer: t\r\n", `{tokens: 5, timeout_ms: 3000}`, timedOut, "5 tokens"},
		"a refusal":                 {strings.Replace(closing, "200 OK", "500 No", 1), "no", `{timeout_ms: 300}`, timedOut, "0 tokens"},
		"a header":                  {"HTTP/1.1 200 OK\r\n", "A: b\r\n", `{tokens: 5}`, malformed, "header"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w net.Conn, _ int64) bool {
				write(w, test.begin)
				endless(w, test.flood)
				return false
			})
			v := testVU(t)
			a := v.post(t, s.url, test.params)
			// A quick machine comes to the bound of an answer before the timeout.
			long := test.kind == timedOut && a.Kind == malformed && strings.Contains(a.Error, errLong.Error())
			if !long && (a.Kind != test.kind || !strings.Contains(a.Error, test.error)) {
				t.Errorf("%q: %s; want %q, %s", a.Kind, a.Error, test.kind, test.error)
			}
			if len(v.instance.client.conns) != 0 {
				t.Error("the connection is kept")
			}
		})
	}
}

// Of tokens in order, too, no more than one is taken beyond those that are due.
func TestTooManyTokensAreNotWaitedFor(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	s := serve(t, func(w net.Conn, _ int64) bool {
		write(w, header200)
		for i := range 6 {
			write(w, chunk(tokenEvent(i, "")))
		}
		<-hold
		return false
	})
	if a := testVU(t).post(t, s.url, `{tokens: 5}`); a.Kind != miscounted || a.Error != "more than 5 tokens" || a.Tokens != 6 {
		t.Errorf("%+v", a)
	}
}

// The end of the run ends a flood, too.
func TestAFloodIsInterrupted(t *testing.T) {
	v := testVU(t)
	ctx, cancel := contextOf(t)
	v.ctx = ctx
	s := serve(t, func(w net.Conn, _ int64) bool {
		write(w, header200)
		time.AfterFunc(100*time.Millisecond, cancel)
		endless(w, chunk(": ping\n\n"))
		return false
	})
	if a := v.post(t, s.url, `{}`); a.Kind != interrupted {
		t.Errorf("%+v", a)
	}
}

func TestAnAnswerHasABound(t *testing.T) {
	c := newClient()
	c.bytes = maxBytes
	if err := c.take(1); !errors.Is(err, errLong) || !errors.Is(err, errMalformed) {
		t.Error(err)
	}
}
