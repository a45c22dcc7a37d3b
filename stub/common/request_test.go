package common

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// post renders a request; headers are whole lines without their ends.
func post(body string, headers ...string) string {
	head := fmt.Sprintf("POST /ask HTTP/1.1\r\nHost: stub\r\nContent-Length: %d\r\n", len(body))
	for _, h := range headers {
		head += h + "\r\n"
	}
	return head + "\r\n" + body
}

// A feed is a connection on which bytes arrive in parts.
type feed struct {
	parts []string
	said  strings.Builder
}

func (f *feed) Read(b []byte) (int, error) {
	if len(f.parts) == 0 {
		return 0, io.EOF
	}
	n := copy(b, f.parts[0])
	if f.parts[0] = f.parts[0][n:]; f.parts[0] == "" {
		f.parts = f.parts[1:]
	}
	return n, nil
}

func (f *feed) Write(b []byte) (int, error) { return f.said.Write(b) }

func TestOnlyARequestThatRepeatsTheLastIsNotParsedAgain(t *testing.T) {
	a, b := post(`{"ask":"a", "and":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}`), post(`{"ask":"b", "and":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}`)
	expecting := post(`{"ask":"a", "and":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}`, "Expect: 100-continue")
	large := post(strings.Repeat("a", 5000)) // more than is buffered
	lower := strings.Replace(a, "Content-Length", "content-length", 1)
	for name, tc := range map[string]struct {
		parts []string
		again string // for each request, whether it is the last one again
	}{
		"the same":                {[]string{a, a, a}, "nyy"},
		"the same at once":        {[]string{a + a + a}, "nyy"},
		"headers in lower case":   {[]string{lower, lower, a}, "nyn"},
		"another between":         {[]string{a, b, a}, "nnn"},
		"another at once":         {[]string{a + b + b + a}, "nnyn"},
		"in two parts":            {[]string{a, a[:200], a[200:], a}, "nnn"},
		"the first in two parts":  {[]string{a[:200], a[200:], a, a}, "nny"},
		"the next started":        {[]string{a + a + a[:100], a[100:] + b}, "nynn"},
		"a client that must wait": {[]string{expecting, expecting}, "nn"},
		"large":                   {[]string{large, large}, "nn"},
	} {
		f := &feed{parts: slices.Clone(tc.parts)}
		q := newRequests(f)
		want := bufio.NewReader(strings.NewReader(strings.Join(tc.parts, "")))
		var last *Request
		for i, again := range tc.again {
			r, err := q.next()
			if err != nil {
				t.Fatalf("%s: request %d: %v", name, i, err)
			}
			parsed, err := http.ReadRequest(want)
			if err != nil {
				t.Fatal(err)
			}
			body, err := readBody(parsed)
			if err != nil {
				t.Fatal(err)
			}
			if string(r.Body) != string(body) || !maps.EqualFunc(r.Header, parsed.Header, slices.Equal) || r.URL.Path != parsed.URL.Path {
				t.Errorf("%s: request %d is %v %s", name, i, r.Header, r.Body)
			}
			if (r == last) != (again == 'y') {
				t.Errorf("%s: request %d is the last again: %v", name, i, r == last)
			}
			last = r
		}
		if _, err := q.next(); err != io.EOF {
			t.Errorf("%s: %v after the last request", name, err)
		}
		if n := strings.Count(f.said.String(), "100 Continue"); n != strings.Count(strings.Join(tc.parts, ""), "Expect") {
			t.Errorf("%s: %d times told to continue", name, n)
		}
	}
}

// Only the first line is parsed of a request whose headers are the last ones. The map of headers
// shows it.
func TestHeadersThatRepeatAreNotParsedAgain(t *testing.T) {
	get := func(line string, headers ...string) string {
		return strings.Join(append([]string{line, "Host: stub"}, headers...), "\r\n") + "\r\n\r\n"
	}
	a, b := get("GET /files/8k-1 HTTP/1.1"), get("GET /files/8k-2,id=a?b=c HTTP/1.1")
	for name, tc := range map[string]struct {
		parts []string
		same  string // for each request after the first, whether its headers are the last ones
	}{
		"another line":         {[]string{a, b, a}, "yy"},
		"all at once":          {[]string{a + b + a}, "yy"},
		"after HEAD":           {[]string{get("HEAD /a HTTP/1.1"), a}, "y"},
		"other headers":        {[]string{a, get("GET /files/8k-2 HTTP/1.1", "Accept: */*"), b}, "nn"},
		"the next in parts":    {[]string{a, b[:len(b)-1], b[len(b)-1:]}, "n"},
		"a path to decode":     {[]string{a, get("GET /files/8k%2D1 HTTP/1.1"), b}, "ny"},
		"another method":       {[]string{a, get("POST /release/a HTTP/1.1"), b}, "ny"},
		"an older version":     {[]string{a, get("GET /files/8k-2 HTTP/1.0")}, "n"},
		"after a body":         {[]string{post("hello"), a}, "n"},
		"after a lone LF":      {[]string{"GET /a HTTP/1.1\nAccept: */*\r\n\r\n", "GET /b HTTP/1.1\r\n\r\n"}, "n"},
		"a body each":          {[]string{get("GET /a HTTP/1.1", "Content-Length: 4") + "\r\n\r\n", get("GET /b HTTP/1.1", "Content-Length: 4") + "\r\n\r\n"}, "n"},
		"after a whole URL":    {[]string{get("GET http://stub/a HTTP/1.1"), b}, "n"},
		"after an old version": {[]string{get("GET /a HTTP/1.0"), b}, "n"},
	} {
		q := newRequests(&feed{parts: slices.Clone(tc.parts)})
		last, err := q.next()
		if err != nil {
			t.Fatal(err)
		}
		for i, same := range tc.same {
			r, err := q.next()
			if err != nil {
				t.Fatalf("%s: request %d: %v", name, i+1, err)
			}
			shared := reflect.ValueOf(r.Header).Pointer() == reflect.ValueOf(last.Header).Pointer()
			if shared != (same == 'y') {
				t.Errorf("%s: request %d has the headers of the last: %v", name, i+1, shared)
			}
			last = r
		}
	}
}
