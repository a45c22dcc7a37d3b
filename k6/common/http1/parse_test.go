package http1

import (
	"bytes"
	"errors"
	"io"
	"net/http/httputil"
	"strings"
	"testing"
)

func pieces(b []byte, size int) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(b) > 0 {
			n := min(size, len(b))
			if !yield(bytes.Clone(b[:n])) { // a buffer is used again
				return
			}
			b = b[n:]
		}
	}
}

// FuzzChunks holds the chunks' reader to net/http's: what that one takes, ours
// takes, and reads the same bytes.
func FuzzChunks(f *testing.F) {
	f.Add([]byte("5\r\nhello\r\n0\r\n\r\n"), uint8(1))
	f.Add([]byte("A;x=y\r\n0123456789\r\n00\r\nT: 1\r\n\r\n"), uint8(3))
	f.Add([]byte("5 \r\nhello\r\n0\r\n\r\nmore"), uint8(200))
	f.Fuzz(func(t *testing.T, wire []byte, size uint8) {
		tr := transfer{kind: byChunks}
		var got []byte
		var failed error
		for p := range pieces(wire, int(size)+1) {
			for len(p) > 0 && !tr.over && failed == nil {
				var body []byte
				body, p, failed = tr.next(p)
				got = append(got, body...)
			}
		}
		want, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(wire)))
		if !bytes.HasPrefix(got, want) && !bytes.HasPrefix(want, got) {
			t.Errorf("%q: %q; want %q", wire, got, want)
		}
		if err == nil && (failed != nil || !bytes.Equal(got, want)) {
			t.Errorf("%q: %q, %v; want %q", wire, got, failed, want)
		}
	})
}

func FuzzHead(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"))
	f.Add([]byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 204 \r\nContent-Length: 0\r\nconnection: a, Keep-Alive\r\n\r\nrest"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, n, err := parseHead(b, len(b)%2 == 1)
		if n > len(b) || n < 0 || err != nil && n != 0 || n > 0 && (h.Status < 200 || h.Status > 999) {
			t.Errorf("%q: %+v, %d, %v", b, h, n, err)
		}
		for _, name := range []string{"", "content-type", "x"} {
			h.Value(name) // it must not panic
		}
	})
}

func TestAnAnswerHasABound(t *testing.T) {
	a := Answer{bytes: maxBytes}
	if err := a.Take([]byte{0}, nil); !errors.Is(err, errLong) {
		t.Error(err)
	}
}

func TestHeaderLinesByName(t *testing.T) {
	text := "HTTP/1.1 103 Early Hints\r\nA: no\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\nCONTENT-Type:  text/plain \r\nAa: 3\r\na:2\r\nLast: x\n\r\nA: body"
	h, n, err := parseHead([]byte(text), false)
	if err != nil || text[n:] != "A: body" {
		t.Fatal(n, err)
	}
	for name, want := range map[string]string{"a": "2", "content-type": "text/plain", "aa": "3", "last": "x"} {
		if got, ok := h.Value(name); !ok || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", name, got, ok, want)
		}
	}
	for _, name := range []string{"b", "las", "content-types", ""} {
		if got, ok := h.Value(name); ok {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The answer to HEAD has the header of GET, and no body.
func TestAnAnswerToHeadHasNoBody(t *testing.T) {
	for _, framing := range []string{"Content-Length: 5", "Transfer-Encoding: chunked", "X: y"} {
		text := []byte("HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n")
		h, n, err := parseHead(text, true)
		if err != nil || n != len(text) || !h.transfer.over || h.close {
			t.Errorf("%s: %+v, %d, %v", framing, h, n, err)
		}
		if h, _, err := parseHead(text, false); err != nil || h.transfer.over || h.close != strings.HasPrefix(framing, "X") {
			t.Errorf("%s of GET: %+v", framing, h)
		}
	}
}
