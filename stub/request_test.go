package main

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestClientIsToldToContinueBeforeItSendsTheBody(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	body := chatBody("@tokens=1 @gap=0s", false)
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
