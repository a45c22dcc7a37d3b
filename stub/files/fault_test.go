package files

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
	"fairstream/stub/files/content"
)

// Many bytes, so that some are still on their way when the cut is due.
func TestCutResetsTheConnectionAfterItsBytes(t *testing.T) {
	for _, directives := range []string{"cut=0", "cut=3", "cut=1m", "cut=1m,chunked", "cut=1m,close", "cut=1m,piece=1k"} {
		s, addr := start(t)
		_, body, err := dial(t, addr).file("2m-1,id=a," + directives)
		if !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%s: the body ends with %v, want a reset", directives, err)
		}
		e := ends(t, s, "a", common.Faulted)
		if want := content.Text(2_000_000, 1)[:len(body)]; body != string(want) || body != e.Sent || strings.HasPrefix(directives, "cut=1m") != (len(body) == 1_000_000) {
			t.Errorf("%s: %d bytes came, %d were sent", directives, len(body), len(e.Sent))
		}
	}
}

func TestCutOfAClientThatDoesNotReadWaitsUntilItLeaves(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	c.Conn.(*net.TCPConn).SetReadBuffer(4096) // fails on a closed connection alone
	c.ask("GET", prefix+"300k-1,id=a,cut=300k")
	stubtest.Eventually(t, "the stub has written all that comes before the cut", func() bool {
		e := s.Journal.Find("a", false)
		return len(e) == 1 && e[0].Events == 1
	})
	time.Sleep(50 * time.Millisecond)
	if outcome := s.Journal.Find("a", false)[0].Outcome; outcome != "" {
		t.Errorf("outcome %s, though the client has not got all", outcome)
	}
	c.Close()
	ends(t, s, "a", common.Cancelled)
}

// The connection ends without a reset, so only the length or the last chunk is missing.
func TestEndClosesTheConnectionTooEarly(t *testing.T) {
	for directives, want := range map[string]error{
		"end=3k": io.ErrUnexpectedEOF, "end=0": io.ErrUnexpectedEOF, "end=3k,chunked": io.ErrUnexpectedEOF,
		"end=8k,chunked": io.ErrUnexpectedEOF, "end=3k,close": nil, "end=8k": nil,
	} {
		s, addr := start(t)
		c := dial(t, addr)
		_, body, err := c.file("8k-1,id=a," + directives)
		if !errors.Is(err, want) {
			t.Errorf("%s: the body ends with %v, want %v", directives, err, want)
		}
		if e := ends(t, s, "a", common.Faulted); e.Sent != body {
			t.Errorf("%s: %d bytes came, %d were sent", directives, len(body), len(e.Sent))
		}
		c.isClosed()
	}
}

func TestStallSendsNothingMoreUntilTheClientLeaves(t *testing.T) {
	for _, bytes := range []int{0, 3_000} {
		s, addr := start(t)
		c := dial(t, addr)
		r := c.ask("GET", fmt.Sprintf("/files/8k-1,id=a,stall=%d", bytes))
		c.take(r.Body, bytes)
		c.isSilent()
		if e := s.Journal.Find("a", false)[0]; len(e.Sent) != bytes || e.Outcome != "" {
			t.Errorf("%d bytes, outcome %q; want %d and none yet", len(e.Sent), e.Outcome, bytes)
		}
		c.Close()
		ends(t, s, "a", common.Cancelled)
	}
}

func TestStatusIsAnErrorThatKeepsTheConnection(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	for _, status := range []int{404, 429, 500, 503} {
		for _, method := range []string{"GET", "HEAD"} {
			id := fmt.Sprint(method, status)
			r := c.ask(method, fmt.Sprintf("/files/8k-1,id=%s,status=%d", id, status))
			body, err := io.ReadAll(r.Body)
			if err != nil || r.StatusCode != status || (method == "GET") != strings.Contains(string(body), `"as asked"`) {
				t.Errorf("%s: status %d, %v: %s; want %d", method, r.StatusCode, err, body, status)
			}
			ends(t, s, id, common.Faulted)
		}
	}
}

func TestRefusalClosesWithoutAnAnswer(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	c.send("GET", prefix+"8k-1,id=a,refuse")
	if b, err := io.ReadAll(c); err != nil || len(b) != 0 {
		t.Errorf("got %q, %v, want the end", b, err)
	}
	ends(t, s, "a", common.Faulted)
}
