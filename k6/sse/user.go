package sse

import (
	"fmt"

	"fairstream/k6/common"
	"fairstream/k6/common/http1"
	"fairstream/k6/shared/events"
)

// A user has the streams of one VU.
type user struct {
	*common.VU
	done     func(kind string) // VU.Done
	ledger   *common.Ledger[series]
	requests map[common.Key]*request
	request  *request // of the slice
	series   *series
	stream
}

// A stream is the state of the current answer.
type stream struct {
	m       measure
	events  events.Reader
	want    int // expected tokens; -1: any number
	status  int
	good    bool   // the status is 200, and the content type that of a stream
	excerpt []byte // begin of another body
}

// Enter takes the request of a slice.
func (u *user) Enter(k common.Key) (err error) {
	u.request = u.requests[common.Key{Level: k.Level, Target: k.Target}]
	u.series, err = u.ledger.Get(k)
	return err
}

// Send begins a stream.
func (u *user) Send() {
	u.stream.reset(u.request.want)
	u.series.Started.Add(1)
	u.Client.Send(u.request.bytes, false, u.request.timeout)
}

func (s *stream) reset(want int) {
	s.m.reset()
	s.events.Reset()
	s.want, s.status, s.good, s.excerpt = want, 0, false, s.excerpt[:0]
}

func (s *stream) Head(h *http1.Head) {
	kind, _ := h.Value("content-type")
	s.status, s.good = h.Status, h.Status == 200 && events.IsStream(kind)
}

// excerptBytes limits the quote from a refusal.
const excerptBytes = 200

func (u *user) Body(p []byte) error {
	// The wall clock of the request's begin goes on with the monotonic one, which saves a call.
	u.m.at, u.m.unixNS = u.At, u.Start.UnixNano()+int64(u.At)
	return u.stream.Body(p)
}

func (s *stream) Body(p []byte) error {
	if s.good {
		return s.events.Feed(p, &s.m)
	}
	s.excerpt = append(s.excerpt, p[:min(len(p), excerptBytes-len(s.excerpt))]...)
	return nil
}

// Enough ends an answer whose fault is known before its end.
func (s *stream) Enough() bool { return s.events.After || s.m.over(s.want) }

// End counts the stream.
func (u *user) End(f *http1.Failure) {
	kind, text := u.verdict(f)
	u.series.end(u, kind, text)
	u.done(kind)
}

// verdict returns the fault of a stream. kind is "" for a complete one.
func (s *stream) verdict(f *http1.Failure) (kind, text string) {
	switch {
	case f != nil:
		return f.Kind, f.Text(fmt.Sprintf("%d tokens", s.m.tokens))
	case s.status != 200:
		return badStatus, fmt.Sprintf("status %d: %s", s.status, s.excerpt)
	case !s.good:
		return badType, fmt.Sprintf("content type is not text/event-stream: %s", s.excerpt)
	}
	return s.m.verdict(s.want, s.events.After)
}
