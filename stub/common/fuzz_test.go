package common

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// wire is a connection on which bytes come in pieces, and what is written is lost.
type wire struct {
	bytes []byte
	size  int
}

func (w *wire) Read(b []byte) (int, error) {
	if len(w.bytes) == 0 {
		return 0, io.EOF
	}
	n := copy(b, w.bytes[:min(w.size, len(w.bytes))])
	w.bytes = w.bytes[n:]
	return n, nil
}

func (*wire) Write(b []byte) (int, error) { return len(b), nil }

// Requests that come one behind the other are those that net/http reads, also
// where one repeats the last.
func FuzzRequests(f *testing.F) {
	one := post("hello", "")
	f.Add([]byte(one+one+one), uint16(len(one)-1))
	f.Add([]byte(one+post("{}", "Expect: 100-continue")+one), uint16(5000))
	f.Add([]byte("GET /stats HTTP/1.1\r\nHost: stub\r\n\r\nPOST / HTTP/1.1\r\nHost: stub\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"), uint16(0))
	get := "GET /files/8k-17 HTTP/1.1\r\nHost: stub\r\nAccept: */*\r\n\r\n"
	other := func(line string) string { return strings.Replace(get, "GET /files/8k-17 HTTP/1.1", line, 1) }
	for _, line := range []string{
		"GET /files/8k-18,hold,id=a@b HTTP/1.1", "HEAD /a?b=c&d HTTP/1.1", "GET /a? HTTP/1.1", "GET /a?b?c HTTP/1.1", "GET /%41 HTTP/1.1",
		"GET //a HTTP/1.1", "GET a HTTP/1.1", "GET /a HTTP/1.0", "GET  /a HTTP/1.1", "POST /a HTTP/1.1", "CONNECT /a HTTP/1.1", "GET http://b/a HTTP/1.1",
	} {
		f.Add([]byte(get+other(line)+get+get), uint16(5000))
		f.Add([]byte(other(line)+get+other(line)), uint16(5000))
	}
	f.Add([]byte(get+get[:50]), uint16(5000))
	f.Fuzz(func(t *testing.T, text []byte, size uint16) {
		ours := newRequests(&wire{slices.Clone(text), int(size) + 1})
		theirs := bufio.NewReader(bytes.NewReader(text))
		for i := 0; ; i++ {
			got, gotErr := ours.next()
			want, err := http.ReadRequest(theirs)
			var body []byte
			if err == nil {
				body, err = readBody(want)
			}
			if (gotErr == nil) != (err == nil) {
				t.Fatalf("%q: request %d: %v; net/http says %v", text, i, gotErr, err)
			}
			if err != nil {
				return
			}
			if got.Method != want.Method || got.URL.String() != want.URL.String() || got.URL.Path != want.URL.Path ||
				got.RequestURI != want.RequestURI || got.Host != want.Host || got.Proto != want.Proto || got.Close != want.Close || got.ContentLength != want.ContentLength || !bytes.Equal(got.Body, body) || !maps.EqualFunc(got.Header, want.Header, slices.Equal) {
				t.Fatalf("%q: request %d: %s %s %q; net/http has %s %s %q", text, i, got.Method, got.URL, got.Body, want.Method, want.URL, body)
			}
		}
	})
}
