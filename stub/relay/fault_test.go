package relay

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
)

// hasEvents fails the test unless a body is the role, some tokens and a rest.
func hasEvents(t *testing.T, body string, tokens int, rest string) {
	t.Helper()
	head, ok := strings.CutSuffix(body, rest)
	if !ok || strings.Count(head, "\n\n") != 1+tokens || strings.Contains(head, "[DONE]") || !strings.HasSuffix(head, "\n\n") {
		t.Fatalf("got %d bytes, want the role, %d tokens and %q: ...%q", len(body), tokens, rest, body[max(0, len(body)-300):])
	}
	for i := range tokens {
		if !strings.Contains(head, fmt.Sprintf(`"content":"%d:`, i)) {
			t.Fatalf("no token %d", i)
		}
	}
}

func hasFaulted(t *testing.T, s *common.Server, id string) {
	t.Helper()
	stubtest.Eventually(t, "the journal says faulted", func() bool {
		e := s.Journal.Find(id, false)
		return len(e) == 1 && e[0].Outcome == common.Faulted
	})
	stubtest.Eventually(t, "no stream is active", func() bool { return s.Stats.Active.Load() == 0 })
	if done, left := s.Stats.Completed.Load(), s.Stats.Cancelled.Load(); done != 0 || left != 0 {
		t.Errorf("%d completed, %d cancelled, want none", done, left)
	}
}

// Many tokens at once, so that some are still on their way when the cut is due.
func TestCutResetsTheConnectionAfterItsTokens(t *testing.T) {
	for _, tokens := range []int{0, 3, 500} {
		s, addr := start(t)
		_, body, err := dial(t, addr).body(fmt.Sprintf("@id=a @itl=0s @tokens=500 @cut=%d", tokens))
		if !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the body ends with %v, want a reset", err)
		}
		hasEvents(t, body, tokens, "")
		hasFaulted(t, s, "a")
	}
}

func TestCutOfAClientThatDoesNotReadWaitsUntilItLeaves(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	c.Conn.(*net.TCPConn).SetReadBuffer(4096) // fails on a closed connection alone
	c.write(post(chatBody("@id=a @itl=0s @tokens=1 @size=300000 @cut=1", false)))
	stubtest.Eventually(t, "the stub has written all that comes before the cut", func() bool {
		e := s.Journal.Find("a", false)
		return len(e) == 1 && e[0].Events == 2
	})
	time.Sleep(50 * time.Millisecond)
	if outcome := s.Journal.Find("a", false)[0].Outcome; outcome != "" {
		t.Errorf("outcome %s, though the client has not got all", outcome)
	}
	c.Close()
	stubtest.Eventually(t, "the stream is cancelled", func() bool { return s.Journal.Find("a", false)[0].Outcome == common.Cancelled })
}

func TestEndIsCleanWithoutDoneAndKeepsTheConnection(t *testing.T) {
	for _, tokens := range []int{0, 3, 5} {
		s, addr := start(t)
		c := dial(t, addr)
		_, body, err := c.body(fmt.Sprintf("@id=a @itl=0s @tokens=5 @end=%d", tokens))
		if err != nil {
			t.Errorf("the body ends with %v", err)
		}
		hasEvents(t, body, tokens, "")
		hasFaulted(t, s, "a")
		c.ask(chatBody("@tokens=1 @itl=0s", false))
	}
}

func TestErrorEventIsTheLastAndKeepsTheConnection(t *testing.T) {
	const failure = `data: {"error":{"message":"as asked","type":"server_error","param":null,"code":null}}` + "\n\n"
	for _, tokens := range []int{0, 3, 5} {
		s, addr := start(t)
		c := dial(t, addr)
		_, body, err := c.body(fmt.Sprintf("@id=a @itl=0s @tokens=5 @error=%d", tokens))
		if err != nil {
			t.Errorf("the body ends with %v", err)
		}
		hasEvents(t, body, tokens, failure)
		hasFaulted(t, s, "a")
		c.ask(chatBody("@tokens=1 @itl=0s", false))
	}
}

func TestStallSendsNothingMoreUntilTheClientLeaves(t *testing.T) {
	for _, tokens := range []int{0, 3} {
		s, addr := start(t)
		c := dial(t, addr)
		next := c.begin(chatBody(fmt.Sprintf("@id=a @itl=0s @packet=2.5 @tokens=5 @stall=%d", tokens), false))
		for range 1 + tokens {
			next()
		}
		c.isSilent()
		if e := s.Journal.Find("a", false)[0]; e.Events != 1+tokens || e.Outcome != "" {
			t.Errorf("%d events, outcome %q, want %d and none yet", e.Events, e.Outcome, 1+tokens)
		}
		c.Close()
		stubtest.Eventually(t, "the stream is cancelled", func() bool { return s.Journal.Find("a", false)[0].Outcome == common.Cancelled })
	}
}
