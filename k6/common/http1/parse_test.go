package http1

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
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

// read gives wire to an Answer in pieces.
func read(wire []byte, bodyless bool, size int) (status int, body []byte, over bool, err error) {
	var a Answer
	c := &collector{}
	a.Reset(bodyless)
	for p := range pieces(wire, size) {
		if err := a.Take(p, c); err != nil {
			return 0, nil, false, err
		}
	}
	return a.head.Status, c.body, a.Over() || a.parsed && a.ended() == nil, nil
}

// readNetHTTP is read as net/http does it.
func readNetHTTP(wire []byte, bodyless bool) (status int, body []byte, err error) {
	request := &http.Request{Method: "GET"}
	if bodyless {
		request.Method = "HEAD"
	}
	r := bufio.NewReader(bytes.NewReader(wire))
	for {
		answer, err := http.ReadResponse(r, request)
		if err != nil {
			return 0, nil, err
		}
		if answer.StatusCode >= 200 { // the others are interim
			body, err := io.ReadAll(answer.Body)
			return answer.StatusCode, body, err
		}
	}
}

// answers are right and wrong ones.
var answers = []string{
	"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\nA;x=y\r\n0123456789\r\n00\r\nT: 1\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n5 \t\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 204 \r\nContent-Length: 0\r\nconnection: a, Keep-Alive\r\n\r\n",
	"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
	"HTTP/1.1 200 OK\nX : 1\n\nuntil the end",
	// What net/http refuses.
	"HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nA\x00: 1\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nA: 1\x00\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nA: 1\rB: 2\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.\x00 200 OK\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.x 200 OK\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5 ;x\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT 1\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + strings.Repeat("T: 0123456789\r\n", 400) + "\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;" + strings.Repeat("x", 5000) + "\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1;"+strings.Repeat("x", 2000)+"\r\n!\r\n", 9) + "0\r\n\r\n",
}

// FuzzAnswer holds an Answer to net/http: it refuses what that one refuses, and reads the same bytes.
func FuzzAnswer(f *testing.F) {
	for _, wire := range answers {
		for _, size := range []uint8{0, 6, 255} {
			f.Add([]byte(wire), false, size)
		}
		f.Add([]byte(wire), true, uint8(255))
	}
	f.Fuzz(func(t *testing.T, wire []byte, bodyless bool, size uint8) {
		status, body, over, err := read(wire, bodyless, int(size)+1)
		if err != nil || !over {
			return
		}
		wantStatus, want, err := readNetHTTP(wire, bodyless)
		if err != nil || status != wantStatus || !bytes.Equal(body, want) {
			t.Errorf("%q: status %d, body %q; net/http: %d, %q, %v", wire, status, body, wantStatus, want, err)
		}
	})
}

// An Answer takes what net/http takes of these, however the pieces end.
func TestAnswersAreReadAsNetHTTPReadsThem(t *testing.T) {
	for _, wire := range answers {
		wantStatus, want, wantErr := readNetHTTP([]byte(wire), false)
		for size := 1; size <= len(wire); size++ {
			status, body, over, err := read([]byte(wire), false, size)
			switch {
			case wantErr == nil && (err != nil || !over || status != wantStatus || !bytes.Equal(body, want)):
				t.Errorf("%.200q in pieces of %d: %d, %q, over %v, %v; want %d, %q", wire, size, status, body, over, err, wantStatus, want)
			case wantErr != nil && err == nil && over:
				t.Errorf("%.200q in pieces of %d is taken; want %v", wire, size, wantErr)
			}
		}
	}
}

// A header that drips is read once, and not from its begin with each byte.
func TestADrippingHeaderIsReadOnce(t *testing.T) {
	wire := "HTTP/1.1 200 OK\r\n" + strings.Repeat("A:\r\n", 10_000) + "\r\n"
	var r headReader
	for n := 1; n < len(wire); n++ {
		if length, err := r.read([]byte(wire[:n]), false); length != 0 || err != nil {
			t.Fatal(length, err)
		}
		if r.seen != n || r.at > n || n-r.at > len("HTTP/1.1 200 OK\r\n") {
			t.Fatalf("after %d bytes: %d of them are read, and the next line begins at %d", n, r.seen, r.at)
		}
	}
}

// parse reads a header that is complete.
func parse(text string, bodyless bool) (h headReader, length int, err error) {
	length, err = h.read([]byte(text), bodyless)
	return h, length, err
}

func TestAnAnswerHasABound(t *testing.T) {
	a := Answer{bytes: maxBytes}
	if err := a.Take([]byte{0}, nil); !errors.Is(err, errLong) {
		t.Error(err)
	}
}

func TestHeaderLinesByName(t *testing.T) {
	text := "HTTP/1.1 103 Early Hints\r\nA: no\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\nCONTENT-Type:  text/plain \r\nAa: 3\r\na:2\r\nLast: x\n\r\nA: body"
	h, n, err := parse(text, false)
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
		text := "HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n"
		h, n, err := parse(text, true)
		if err != nil || n != len(text) || !h.transfer.over || h.close {
			t.Errorf("%s: %+v, %d, %v", framing, h, n, err)
		}
		if h, _, err := parse(text, false); err != nil || h.transfer.over || h.close != strings.HasPrefix(framing, "X") {
			t.Errorf("%s of GET: %+v", framing, h)
		}
	}
}
