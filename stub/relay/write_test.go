package relay

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
)

// A recorder is a connection that notes what each write carries. Writes fail
// once broken says so of one.
type recorder struct {
	net.Conn
	writes []string
	broken func(write string) bool
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.broken != nil && r.broken(string(b)) {
		return 0, errors.New("broken")
	}
	r.writes = append(r.writes, string(b))
	return len(b), nil
}

// record answers one chat request into r and returns the stub and whether the
// connection may be used again.
func record(r *recorder, message string, usage bool) (*common.Server, bool) {
	c := common.NewConn(r, common.NewServer(Routes))
	ok := chat(c, &common.Request{
		Request: &http.Request{Method: "POST", URL: &url.URL{Path: "/v1/chat/completions"}},
		Body:    []byte(chatBody(message, usage)),
	})
	return c.Server, ok
}

// unframe returns the event that a write carries as exactly one HTTP chunk.
func unframe(t *testing.T, write string) string {
	t.Helper()
	size, rest, _ := strings.Cut(write, "\r\n")
	n, err := strconv.ParseUint(size, 16, 32)
	if err != nil || n == 0 || uint64(len(rest)) != n+2 || rest[n:] != "\r\n" {
		t.Fatalf("a write is not one chunk: %.300q", write)
	}
	event := rest[:n]
	if !strings.HasPrefix(event, "data: ") || strings.Index(event, "\n\n") != len(event)-2 {
		t.Fatalf("a chunk is not one event: %.300q", event)
	}
	return event
}

func TestEachEventIsOneWrite(t *testing.T) {
	for message, wantEvents := range map[string]int{
		"@itl=0s":                         20 + 4,
		"@itl=0s @tokens=0":               0 + 4,
		"@itl=1ms @tokens=5":              5 + 4,
		"@itl=0s @size=4194304 @tokens=2": 2 + 4,
		"@itl=0s @tokens=2000 @size=0":    2000 + 4,
	} {
		r := &recorder{}
		if _, ok := record(r, message, true); !ok {
			t.Fatalf("%s: the answer was not sent", message)
		}
		last := len(r.writes) - 1
		if r.writes[0] != streamHeader {
			t.Errorf("%s: the first write is %q, want the header alone", message, r.writes[0])
		}
		if r.writes[last] != "0\r\n\r\n" {
			t.Errorf("%s: the last write is %q, want the end of the chunks alone", message, r.writes[last])
		}
		var events []string
		for _, write := range r.writes[1:last] {
			events = append(events, unframe(t, write))
		}
		if len(events) != wantEvents {
			t.Fatalf("%s: %d events, want %d", message, len(events), wantEvents)
		}
		if done := events[wantEvents-1]; done != "data: [DONE]\n\n" {
			t.Errorf("%s: the last event is %q", message, done)
		}
	}
}

func TestWriteThatFailsEndsTheAnswerAsCancelled(t *testing.T) {
	for part, wantEvents := range map[string]int{
		"200 OK":        0,
		`"role"`:        0,
		`"1:`:           2,
		`"stop"`:        4,
		`"total_tokens`: 5,
		"[DONE]":        6,
	} {
		r := &recorder{broken: func(write string) bool { return strings.Contains(write, part) }}
		s, ok := record(r, "@itl=0s @tokens=3 @id=a", true)
		e := s.Journal.Find("a", false)[0]
		if ok || e.Outcome != "cancelled" || e.Events != wantEvents || s.Stats.Cancelled.Load() != 1 || s.Stats.Completed.Load() != 0 {
			t.Errorf("broken at %s: connection usable %v, outcome %s after %d events, want %d", part, ok, e.Outcome, e.Events, wantEvents)
		}
		if s.Stats.Active.Load() != 0 {
			t.Errorf("broken at %s: the stream is still active", part)
		}
	}
}

// Many clients leave on [DONE], before the empty chunk that ends the body.
func TestClientThatLeavesOnDoneHasCompleted(t *testing.T) {
	r := &recorder{broken: func(write string) bool { return write == "0\r\n\r\n" }}
	s, _ := record(r, "@itl=0s @tokens=3 @id=a", false)
	e := s.Journal.Find("a", false)[0]
	if e.Outcome != "completed" || e.Events != 6 || s.Stats.Completed.Load() != 1 || s.Stats.Cancelled.Load() != 0 {
		t.Errorf("outcome %s after %d events, stats %v", e.Outcome, e.Events, s.Snapshot())
	}
}

func TestOverdueTokensDoNotWait(t *testing.T) {
	r := &recorder{}
	c := common.NewConn(r, common.NewServer(Routes))
	var e encoder
	e.begin("x", "m", time.Now(), false, noFaults)
	st := &stream{Answer: &common.Answer{Conn: c, Start: time.Now().Add(-time.Hour)}, encoder: &e,
		script: script{tokens: 1000, itl: time.Second, ttft: time.Minute, faults: noFaults}}
	sent := make(chan string, 1)
	go func() { sent <- st.send(false, 0) }()
	select {
	case outcome := <-sent:
		if want := 1 + 1000 + 4; outcome != common.Completed || len(r.writes) != want {
			t.Errorf("%s in %d writes, want %d", outcome, len(r.writes), want)
		}
	case <-time.After(stubtest.Patience):
		t.Error("a stream that began an hour ago waits between its tokens")
	}
}
