package relay

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
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
	stubtest.Eventually(t, "no connection is open", func() bool { return s.Stats.Open.Load() == 0 })
	if n := s.Stats.Requests.Load(); n != 0 {
		t.Errorf("%d requests counted, want 0", n)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestBodyOverTheLimitClosesTheConnection(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	c.write(fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: stub\r\nContent-Length: %d\r\n\r\n", 2*common.MaxBody))
	if _, err := io.CopyN(c, zeros{}, common.MaxBody+1); err != nil {
		t.Fatal(err)
	}
	c.isClosed()
	if n := s.Stats.Requests.Load(); n != 0 {
		t.Errorf("%d requests counted, want 0", n)
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
	var found []common.Entry
	c.get("/journal/a", &found) // on the same connection, so after the last answer
	if len(found) != 3 || s.Stats.Requests.Load() != 3 {
		t.Fatalf("%d entries of %d requests, want 3", len(found), s.Stats.Requests.Load())
	}
	for i, e := range found {
		if e.Events != 7 || e.Outcome != common.Completed || e.Body != found[0].Body {
			t.Errorf("entry %d: %s after %d events, want completed after 7; body %s", i, e.Outcome, e.Events, e.Body)
		}
	}
}
