package relay

import (
	"slices"
	"time"

	"fairstream/stub/common"
)

const (
	streamHeader = commonHeader + "Transfer-Encoding: chunked\r\n\r\n"
	closeHeader  = commonHeader + "Connection: close\r\n\r\n"
	commonHeader = "HTTP/1.1 200 OK\r\n" +
		"Content-Type: text/event-stream; charset=utf-8\r\n" +
		"Cache-Control: no-cache\r\n"
)

// A stream is one answer that is being sent.
type stream struct {
	*common.Answer
	script
	*encoder
	spent bool // the connection must close after it
	packing
}

// send sends the whole answer, or the part that its faults allow. It returns the outcome.
func (s *stream) send(usage bool, promptTokens int) string {
	if !s.SleepUntil(s.Start.Add(s.headers)) {
		return common.Cancelled
	}
	if outcome, ok := s.refusal(); ok {
		return outcome
	}
	head := streamHeader
	if s.faults.close {
		head = closeHeader
	}
	if !s.write([]byte(head)) || !s.Await(s.Start) || !s.event(s.role()) {
		return common.Cancelled
	}
	for i := range s.tokens {
		if outcome, ok := s.fault(i); ok {
			return outcome
		}
		if !s.Await(s.deadline(i)) || !s.event(s.token(i, s.size, time.Now())) {
			return common.Cancelled
		}
		s.Written.Store(int64(i + 1))
	}
	if outcome, ok := s.fault(s.tokens); ok {
		return outcome
	}
	// The end of an answer takes a step of the model too.
	if !s.Await(s.deadline(s.tokens)) || !s.event(s.finish()) {
		return common.Cancelled
	}
	if usage && (!s.Await(s.Start) || !s.event(s.total(promptTokens, s.tokens))) {
		return common.Cancelled
	}
	if !s.Await(s.Start) || !s.event(s.done()) || !s.flush() {
		return common.Cancelled
	}
	s.end() // may fail: a client that leaves on [DONE] has the whole answer
	return common.Completed
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
	return s.Start.Add(s.ttft + time.Duration(i)*s.itl)
}

// event writes one event, in one write unless a fault splits it.
func (s *stream) event(chunk []byte) bool {
	if !s.pack(chunk) {
		return false
	}
	s.Note(s.rendered())
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
