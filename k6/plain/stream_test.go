package plain

import (
	"net"
	"strings"
	"testing"
	"time"

	"fairstream/k6/common/http1"
	"fairstream/k6/common/moduletest"
	"fairstream/k6/shared/request"
)

const (
	streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	streamEnd  = "0\r\n\r\n"
)

// eventChunks are chunks with the data of one event each.
func eventChunks(data ...string) (all string) {
	for _, text := range data {
		all += "c\r\ndata: " + (text + "    ")[:4] + "\n\n\r\n"
	}
	return all
}

// The content of events may be any. What is checked is that they come, how many, and the last one.
func TestAStreamOfEvents(t *testing.T) {
	four := streamHead + eventChunks("a", "b", "c", "end") + streamEnd
	for name, c := range map[string]struct{ text, want, kind, error string }{
		"any":             {four, `{}`, "", ""},
		"four":            {four, `{events: 4, last: "end"}`, "", ""},
		"another count":   {four, `{events: 3}`, badStream, "the body has 4 events; want 3"},
		"another last":    {four, `{last: "[DONE]"}`, badStream, `the last of 4 events does not begin with "[DONE]"`},
		"without events":  {streamHead + "4\r\n: hi\r\n" + streamEnd, `{}`, badStream, "the body has no event"},
		"cut":             {streamHead + eventChunks("a", "b"), `{}`, http1.Cut, "the server closed the connection"},
		"another type":    {strings.Replace(four, "event-stream", "plain", 1), `{}`, badHeader, `content-type: "text/plain"; want text/event-stream`},
		"another status":  {strings.Replace(four, "200 OK", "500 No", 1), `{}`, badStatus, "status 500"},
		"with parameters": {strings.Replace(four, "event-stream", "event-stream; charset=utf-8", 1), `{events: 4}`, "", ""},
	} {
		series, _ := load(t, moduletest.ServeText(t, c.text, false).URL, one, `[{answer: {stream: `+c.want+`}}]`)
		s := series[0]
		if c.kind != "" {
			if s.Failed[c.kind] != 1 || !strings.Contains(s.Reasons[c.kind], c.error) || s.TTFT.Count+s.Itl.Count != 0 {
				t.Errorf("%s: failed %v: %q, %d times; want %s: %s", name, s.Failed, s.Reasons, s.TTFT.Count+s.Itl.Count, c.kind, c.error)
			}
		} else if s.OK != 1 || s.TTFT.Count != 1 || s.Itl.Count != 3 || s.Bytes != 4*12 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// Events of a name are counted, also where the answer fails.
func TestEventsOfANameAreCounted(t *testing.T) {
	named := "1a\r\nevent: stored\ndata: {}  \n\n\r\n"
	for text, want := range map[string]int64{
		streamHead + named + eventChunks("a") + named + streamEnd: 2, streamHead + named + eventChunks("a"): 1, streamHead + eventChunks("a") + streamEnd: 0,
	} {
		series, _ := load(t, moduletest.ServeText(t, text, false).URL, one, `[{answer: {stream: {count: "stored"}}}]`)
		if s := series[0]; s.Counted != want {
			t.Errorf("%q: %d events; want %d: %+v", text, s.Counted, want, s)
		}
	}
}

// TTFT ends with the first event, and ITL is the time between events. Answers that are no streams have neither.
func TestTimesOfEvents(t *testing.T) {
	const pause = 30 * time.Millisecond
	s := moduletest.Serve(t, func(w net.Conn, n int64) bool {
		if n%2 == 0 {
			moduletest.Write(w, hello)
			return true
		}
		moduletest.Write(w, streamHead)
		for _, text := range []string{"a", "b", "c"} {
			time.Sleep(pause)
			moduletest.Write(w, eventChunks(text))
		}
		moduletest.Write(w, streamEnd)
		return true
	})
	series, _ := load(t, s.URL, asks(4), `[{answer: {stream: {events: 3}}}, {answer: {body: "hello"}}]`)
	r := series[0]
	least := int64(pause.Microseconds()) / 2 // a busy machine may deliver an event late, and the next in time
	if r.OK != 4 || r.TTFT.Count != 2 || r.Itl.Count != 4 || r.TTFT.QuantileUS(0) < float64(pause.Microseconds()) || r.Itl.SumUS < 4*least {
		t.Errorf("%d of %d, %v; TTFT %+v, ITL %+v", r.OK, r.Started, r.Reasons, r.TTFT, r.Itl)
	}
}

// The first token is the first event of a name. A stream without one has no such time.
func TestTimeOfTheFirstToken(t *testing.T) {
	const pause = 30 * time.Millisecond
	token := "19\r\nevent: token\ndata: {}  \n\n\r\n"
	s := moduletest.Serve(t, func(w net.Conn, n int64) bool {
		moduletest.Write(w, streamHead+eventChunks("a"))
		if n%2 == 1 {
			time.Sleep(pause)
			moduletest.Write(w, token)
			time.Sleep(pause)
			moduletest.Write(w, token)
		}
		moduletest.Write(w, streamEnd)
		return true
	})
	series, _ := load(t, s.URL, asks(4), `[{answer: {stream: {token: "token"}}}]`)
	if r := series[0]; r.OK != 4 || r.FirstToken == nil || r.FirstToken.Count != 2 || r.FirstToken.QuantileUS(0) < float64(pause.Microseconds()) || r.TTFT.Count != 4 {
		t.Errorf("%d of %d, %v; first token %+v, TTFT %+v", r.OK, r.Started, r.Reasons, r.FirstToken, r.TTFT)
	} else if least, all := float64(pause.Microseconds()), r.Request.QuantileUS(1); r.FirstToken.QuantileUS(1) > all-least/2 {
		t.Errorf("first token %+v of requests that took %v us; want the first of two", r.FirstToken, all)
	}
	series, _ = load(t, s.URL, asks(2), `[{answer: {stream: {}}}]`)
	if r := series[0]; r.OK != 2 || r.FirstToken != nil {
		t.Errorf("%d of %d; first token %+v without a name", r.OK, r.Started, r.FirstToken)
	}
}

// An event must cost no memory, as a token must not.
func TestEventsAllocateNothing(t *testing.T) {
	var s stream
	s.reset(&request.Stream{Last: "x"}, &fan{})
	s.itls.Buckets = make([]uint16, 0, 100_000)
	piece := []byte("data: abc\n\n")
	n := testing.AllocsPerRun(1000, func() {
		if err := s.reader.Feed(piece, &s); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 || s.events < 1000 {
		t.Errorf("%v allocations for an event, %d seen", n, s.events)
	}
}
