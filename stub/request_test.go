package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestClientIsToldToContinueBeforeItSendsTheBody(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	body := chatBody("@tokens=1 @itl=0s", false)
	head, _ := strings.CutSuffix(post(body, "Expect: 100-continue"), body)
	c.write(head)
	const want = "HTTP/1.1 100 Continue\r\n\r\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(c.in, got); err != nil || string(got) != want {
		t.Fatalf("got %q, %v", got, err)
	}
	c.write(body)
	if r, answer := c.receive(); r.StatusCode != 200 {
		t.Errorf("status %d: %s", r.StatusCode, answer)
	}
}

func TestBytesThatAreNoRequestCloseTheConnection(t *testing.T) {
	s, addr := start(t)
	for _, bad := range []string{
		"tokens please\r\n\r\n",
		"POST /v1/chat/completions\r\n\r\n",
		"POST /v1/chat/completions HTTP/1.1\r\nno colon\r\n\r\n",
		"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
		"POST /v1/chat/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
	} {
		c := dial(t, addr)
		c.write(bad)
		c.isClosed()
	}
	eventually(t, "no connection is open", func() bool { return s.stats.Open.Load() == 0 })
	if n := s.stats.Requests.Load(); n != 0 {
		t.Errorf("%d requests counted, want 0", n)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestBodyOverTheLimitClosesTheConnection(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	c.write(fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: stub\r\nContent-Length: %d\r\n\r\n", 2*maxBody))
	if _, err := io.CopyN(c, zeros{}, maxBody+1); err != nil {
		t.Fatal(err)
	}
	c.isClosed()
	if n := s.stats.Requests.Load(); n != 0 {
		t.Errorf("%d requests counted, want 0", n)
	}
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
	a, b := post(chatBody("a", false)), post(chatBody("b", false))
	expecting := post(chatBody("a", false), "Expect: 100-continue")
	large := post(chatBody(strings.Repeat("a", 5000), false)) // more than is buffered
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
		var last *request
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
			if string(r.body) != string(body) || !maps.EqualFunc(r.Header, parsed.Header, slices.Equal) || r.URL.Path != parsed.URL.Path {
				t.Errorf("%s: request %d is %v %s", name, i, r.Header, r.body)
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

func TestRepeatedRequestIsAnsweredLikeTheFirst(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	for i := range 3 {
		if events := c.ask(chatBody("@id=a @tokens=3 @itl=0s", true)); len(events) != 7 {
			t.Errorf("answer %d has %d events, want 7", i, len(events))
		}
	}
	var found []entry
	c.get("/journal/a", &found) // on the same connection, so after the last answer
	if len(found) != 3 || s.stats.Requests.Load() != 3 {
		t.Fatalf("%d entries of %d requests, want 3", len(found), s.stats.Requests.Load())
	}
	for i, e := range found {
		if e.Events != 7 || e.Outcome != completed || e.Body != found[0].Body {
			t.Errorf("entry %d: %s after %d events, want completed after 7; body %s", i, e.Outcome, e.Events, e.Body)
		}
	}
}
