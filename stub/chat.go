package main

import (
	"strconv"
	"strings"
	"time"
)

const streamHeader = "HTTP/1.1 200 OK\r\n" +
	"Content-Type: text/event-stream; charset=utf-8\r\n" +
	"Cache-Control: no-cache\r\n" +
	"Transfer-Encoding: chunked\r\n\r\n"

// chat answers one chat request. It returns false when the connection must not
// be used again.
func (c *conn) chat(r *request) bool {
	start := time.Now()
	s := c.stub
	number := s.stats.Requests.Add(1)
	chat, script, err := parseChat(r.body)
	if err != nil {
		return c.fail(400, err.Error())
	}
	id := script.id
	var noted *entry
	if id == "" {
		id = strconv.FormatInt(number, 10)
	} else {
		noted = s.journal.add(id, entry{
			Connection: c.number, Method: r.Method, Path: r.URL.Path, Header: r.Header,
			Body: string(r.body), StartedUS: start.UnixMicro(),
		})
	}

	s.stats.Active.Add(1)
	defer func() {
		s.stats.Active.Add(-1)
		s.stats.StreamUS.Add(time.Since(start).Microseconds())
	}()
	st := &stream{conn: c, script: script, start: start, noted: noted,
		encoder: newEncoder(id, chat.Model, start, chat.StreamOptions.IncludeUsage)}
	promptTokens := 0
	if chat.StreamOptions.IncludeUsage {
		for _, m := range chat.Messages {
			promptTokens += len(strings.Fields(m.Content))
		}
	}
	if !st.send(chat.StreamOptions.IncludeUsage, promptTokens) {
		s.stats.Cancelled.Add(1)
		s.journal.update(noted, func(e *entry) { e.end("cancelled") })
		return false
	}
	s.stats.Completed.Add(1)
	s.journal.update(noted, func(e *entry) { e.end("completed") })
	return true
}

// A stream is one answer on its way.
type stream struct {
	*conn
	script
	*encoder
	start time.Time // of the request; all deadlines count from here
	noted *entry
	timer *time.Timer
}

// send writes the whole answer. It returns false if the client left first.
func (s *stream) send(usage bool, promptTokens int) bool {
	if !s.write([]byte(streamHeader)) || !s.event(s.role()) {
		return false
	}
	for i := range s.tokens {
		if !s.sleepUntil(s.deadline(i)) || !s.event(s.token(i, s.size, time.Now())) {
			return false
		}
	}
	// The end of an answer is a step of the model like any other.
	if !s.sleepUntil(s.deadline(s.tokens)) || !s.event(s.finish()) {
		return false
	}
	if usage && !s.event(s.total(promptTokens, s.tokens)) {
		return false
	}
	if !s.event(s.done()) {
		return false
	}
	s.write([]byte("0\r\n\r\n")) // may fail: a client that leaves on [DONE] has it all
	return true
}

// deadline is when token i is due. It counts from the request and not from the
// token before, so that a late token does not delay the rest.
func (s *stream) deadline(i int) time.Time {
	return s.start.Add(s.ttft + time.Duration(i)*s.gap)
}

// sleepUntil returns false if the client leaves first.
func (s *stream) sleepUntil(t time.Time) bool {
	d := time.Until(t)
	if d <= 0 {
		return true
	}
	if s.timer == nil {
		s.timer = time.NewTimer(d)
	} else {
		s.timer.Reset(d)
	}
	select {
	case <-s.timer.C:
		return true
	case <-s.gone:
		return false
	}
}

// event writes one event, in one write.
func (s *stream) event(chunk []byte) bool {
	if !s.write(chunk) {
		return false
	}
	s.stub.journal.update(s.noted, func(e *entry) { e.Events++ })
	return true
}

func (s *stream) write(b []byte) bool {
	_, err := s.Write(b)
	return err == nil
}
