package main

import (
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	streamHeader = commonHeader + "Transfer-Encoding: chunked\r\n\r\n"
	closeHeader  = commonHeader + "Connection: close\r\n\r\n"
	commonHeader = "HTTP/1.1 200 OK\r\n" +
		"Content-Type: text/event-stream; charset=utf-8\r\n" +
		"Cache-Control: no-cache\r\n"
)

// chat answers one chat request. It returns false when the connection must not be reused.
func (c *conn) chat(r *request) bool {
	start := time.Now()
	s := c.stub
	number := s.stats.Requests.Add(1)
	chat, script, err := r.parse()
	if err != nil {
		return c.fail(400, err.Error())
	}
	st := &stream{conn: c, script: script, encoder: &c.encoder, start: start}
	if err := s.tallies.begin(script.tally, &st.written); err != nil {
		return c.fail(400, "directive @tally="+script.tally+": "+err.Error())
	}
	defer s.tallies.end(script.tally, &st.written)
	id := script.id
	if id == "" {
		id = strconv.FormatInt(number, 10)
	} else {
		st.noted = s.journal.add(id, entry{
			Connection: c.number, Method: r.Method, Path: r.URL.Path, Header: r.Header,
			Body: string(r.body), StartedUS: start.UnixMicro(),
		})
	}

	s.stats.Active.Add(1)
	defer func() {
		s.stats.Active.Add(-1)
		s.stats.StreamUS.Add(time.Since(start).Microseconds())
	}()
	promptTokens := 0
	if chat.StreamOptions.IncludeUsage {
		for _, m := range chat.Messages {
			promptTokens += len(strings.Fields(m.Content))
		}
	}
	c.encoder.begin(id, chat.Model, start, chat.StreamOptions.IncludeUsage, script.faults)
	outcome := st.answer(chat.StreamOptions.IncludeUsage, promptTokens)
	switch outcome {
	case completed:
		s.stats.Completed.Add(1)
	case cancelled:
		s.stats.Cancelled.Add(1)
	}
	s.journal.update(st.noted, func(e *entry) { e.end(outcome) })
	return outcome != cancelled && !st.spent && !script.close && !script.hangup
}

// Outcomes of a request in the journal.
const (
	completed = "completed" // sent completely
	cancelled = "cancelled" // the client left first
	faulted   = "faulted"   // ended by a directive
)

// A stream is one answer that is being sent.
type stream struct {
	*conn
	script
	*encoder
	start time.Time // start of the request; all deadlines count from here
	noted *entry
	spent bool // the connection must close after it
	// written counts the tokens of this stream. No other stream shares it, so counting is cheap.
	written atomic.Int64
	packing
}

// answer sends the whole answer, or the part that its faults allow.
func (s *stream) answer(usage bool, promptTokens int) string {
	if !s.sleepUntil(s.start.Add(s.headers)) {
		return cancelled
	}
	if done, ok := s.refusal(); ok {
		return done
	}
	head := streamHeader
	if s.faults.close {
		head = closeHeader
	}
	if !s.write([]byte(head)) || !s.slice(s.start) || !s.event(s.role()) {
		return cancelled
	}
	for i := range s.tokens {
		if done, ok := s.fault(i); ok {
			return done
		}
		if !s.slice(s.deadline(i)) || !s.event(s.token(i, s.size, time.Now())) {
			return cancelled
		}
		s.written.Store(int64(i + 1))
	}
	if done, ok := s.fault(s.tokens); ok {
		return done
	}
	// The end of an answer takes a step of the model too.
	if !s.slice(s.deadline(s.tokens)) || !s.event(s.finish()) {
		return cancelled
	}
	if usage && (!s.slice(s.start) || !s.event(s.total(promptTokens, s.tokens))) {
		return cancelled
	}
	if !s.slice(s.start) || !s.event(s.done()) || !s.flush() {
		return cancelled
	}
	s.end() // may fail: a client that leaves on [DONE] has the whole answer
	return completed
}

// end ends the body, so that the client knows that the answer is over.
func (s *stream) end() bool {
	switch {
	case s.faults.close: // the body ends with the connection
		return true
	case s.trailers:
		return s.write([]byte("0;stub=1\r\nStub-Trailer: 1\r\n\r\n"))
	}
	return s.write([]byte("0\r\n\r\n"))
}

// deadline is the time of token i. It counts from the request, so that a late token does not delay
// the others.
func (s *stream) deadline(i int) time.Time {
	return s.start.Add(s.ttft + time.Duration(i)*s.itl)
}

// nap is the longest wait during which the stub may miss that the client left. Nothing can wake
// time.Sleep, but it is the cheapest wait. A select over a timer and the client's leaving cost 14 %
// more in the bare loop of cost_test.go, with tokens 2 ms apart.
const nap = 100 * time.Millisecond

// sleepUntil returns false if the client leaves first.
func (s *stream) sleepUntil(t time.Time) bool {
	d := time.Until(t)
	if d <= 0 {
		return true
	}
	if d <= nap {
		time.Sleep(d)
		return !s.left()
	}
	select {
	case <-time.After(d):
		return true
	case <-s.gone:
		return false
	}
}

// left reports whether the client has left.
func (c *conn) left() bool {
	select {
	case <-c.gone:
		return true
	default:
		return false
	}
}

// slice waits until an event is due and, in a held stream, released. Call it before rendering the
// event, so that a token's stamp is its sending time.
func (s *stream) slice(due time.Time) bool {
	return s.sleepUntil(due) && (!s.hold || s.stub.holds.wait(s.id, s.gone))
}

// event writes one event, in one write unless a fault splits it.
func (s *stream) event(chunk []byte) bool {
	if !s.pack(chunk) {
		return false
	}
	s.stub.journal.update(s.noted, func(e *entry) {
		e.Events++
		sent := s.rendered()
		e.sent = append(e.sent, sent[:min(len(sent), maxSent-len(e.sent))]...)
	})
	return true
}

// write writes bytes, in as many writes as the script asks for.
func (s *stream) write(b []byte) bool {
	if s.faults.write == 0 {
		_, err := s.Write(b)
		return err == nil
	}
	for part := range slices.Chunk(b, s.faults.write) {
		if _, err := s.Write(part); err != nil {
			return false
		}
	}
	return true
}
