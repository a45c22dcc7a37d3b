package relay

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"fairstream/stub/common"
)

func TestLinesAndCommentsChangeNothingElse(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	const message = "@id=a @tokens=3 @itl=0s "
	_, plain, err := c.body(message)
	if err != nil {
		t.Fatal(err)
	}
	lines := func(body, end string) string { return strings.ReplaceAll(body, "\n", end) }
	comments := func(body string) string { return strings.ReplaceAll(body, "data: ", ": ping\n\ndata: ") }
	for directives, want := range map[string]string{
		"@lines=lf":               plain,
		"@lines=crlf":             lines(plain, "\r\n"),
		"@lines=cr":               lines(plain, "\r"),
		"@comments=1":             comments(plain),
		"@comments=1 @lines=crlf": lines(comments(plain), "\r\n"),
	} {
		_, got, err := c.body(message + directives)
		if err != nil || mask([]byte(got)) != mask([]byte(want)) {
			t.Errorf("%s: %v, got %q, want %q", directives, err, got, want)
		}
	}
}

// raw asks on a connection of its own, which it leaves open until the stub
// closes it, and returns the header and the body as they came.
func raw(t *testing.T, addr, message string, headers ...string) (head, body string) {
	t.Helper()
	c := dial(t, addr)
	c.write(post(chatBody(message, false), headers...))
	b, err := io.ReadAll(c)
	if err != nil {
		t.Fatalf("%s: %v after %q", message, err, b)
	}
	head, body, _ = strings.Cut(string(b), "\r\n\r\n")
	return head + "\r\n\r\n", body
}

// plainBody is the events of the same answer without faults, masked.
func plainBody(t *testing.T, addr string) string {
	t.Helper()
	_, body, err := dial(t, addr).body("@id=a @tokens=3 @itl=0s")
	if err != nil {
		t.Fatal(err)
	}
	return mask([]byte(body))
}

func TestCloseEndsTheBodyWithTheConnection(t *testing.T) {
	_, addr := start(t)
	for _, directives := range []string{"@close=1", "@close=1 @trailers=1"} {
		head, body := raw(t, addr, "@id=a @tokens=3 @itl=0s "+directives)
		if head != closeHeader || strings.Contains(head, "chunked") || !strings.Contains(head, "Connection: close\r\n") {
			t.Errorf("%s: header %q", directives, head)
		}
		if got, want := mask([]byte(body)), plainBody(t, addr); got != want {
			t.Errorf("%s: got %q, want %q", directives, got, want)
		}
	}
}

func TestCloseEndsAFaultyAnswerToo(t *testing.T) {
	_, addr := start(t)
	_, body := raw(t, addr, "@tokens=3 @itl=0s @close=1 @end=2")
	hasEvents(t, body, 2, "")
}

var sizeLine = regexp.MustCompile(`(?m)^([0-9a-f]+)(;stub=1)?\r\n`)

func TestTrailersComeWithExtensionsOnEveryChunk(t *testing.T) {
	_, addr := start(t)
	head, body := raw(t, addr, "@id=a @tokens=3 @itl=0s @trailers=1", "Connection: close")
	if head != streamHeader || !strings.HasSuffix(body, "\n\n\r\n0;stub=1\r\nStub-Trailer: 1\r\n\r\n") {
		t.Errorf("header %q, body %q", head, body)
	}
	sizes := sizeLine.FindAllStringSubmatch(body, -1)
	if len(sizes) != 6+1 {
		t.Errorf("%d chunks, want six events and the end: %q", len(sizes), body)
	}
	for _, size := range sizes {
		if size[2] == "" {
			t.Errorf("chunk %q has no extension", size[0])
		}
	}
	c := dial(t, addr)
	r, body, err := c.body("@id=a @tokens=3 @itl=0s @trailers=1")
	if want := plainBody(t, addr); err != nil || mask([]byte(body)) != want || r.Trailer.Get("Stub-Trailer") != "1" {
		t.Errorf("%v, trailer %v, got %q, want %q", err, r.Trailer, body, want)
	}
	c.ask(chatBody("@tokens=1 @itl=0s", false))
}

func TestHangupClosesAConnectionThatWasToStay(t *testing.T) {
	s, addr := start(t)
	head, body := raw(t, addr, "@id=a @tokens=3 @itl=0s @hangup=1")
	if head != streamHeader || !strings.HasSuffix(body, "data: [DONE]\n\n\r\n0\r\n\r\n") {
		t.Errorf("header %q, body %q", head, body)
	}
	if e := s.Journal.Find("a", false)[0]; e.Outcome != common.Completed {
		t.Errorf("outcome %s, want completed", e.Outcome)
	}
	raw(t, addr, "@tokens=3 @itl=0s @hangup=1 @end=1")
	raw(t, addr, "@hangup=1 @status=500")
}
