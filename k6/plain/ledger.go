package plain

import (
	"sync/atomic"

	"fairstream/k6/common"
	"fairstream/k6/shared/hist"
)

// A series counts the requests of one key, their ends, and the times of correct answers. A failure
// adds no time, since a fast one must not make a server look fast.
type series struct {
	common.Outcomes
	bytes               atomic.Int64 // of bodies
	counted             atomic.Int64 // events that are counted, in failed requests too
	request, ttfb, late hist.Histogram
	ttft, itl           hist.Histogram // of streams
	token               hist.Histogram // of streams with tokens: to the first
	fanOut              hist.Histogram // of followers
}

// end counts the end of a request. kind is "" for a correct answer, and text describes a failure.
func (s *series) end(u *user, kind, text string) {
	s.Sent(u.Client)
	late := u.Late()
	if late > 0 && !u.Start.IsZero() {
		s.late.Add(common.US(late))
	}
	if u.want.stream != nil {
		s.counted.Add(u.stream.counted)
	}
	u.want.named.end(kind, common.US(late+u.At))
	if kind != "" {
		s.Fail(kind, text)
		return
	}
	s.OK.Add(1)
	s.bytes.Add(int64(u.came))
	s.request.Add(common.US(late + u.At))
	s.ttfb.Add(common.US(late + u.first))
	switch of := u.want.stream; {
	case of == nil:
	case of.Follows: // when its first event comes is the sender's affair
		u.stream.delays.AddTo(&s.fanOut)
	default:
		s.ttft.Add(common.US(late + u.stream.first))
		u.stream.itls.AddTo(&s.itl)
		if at := u.stream.token; at > 0 {
			s.token.Add(common.US(late + at))
		}
	}
}

// Report copies all series, in order of their keys.
func (p *protocol) Report() any {
	r := hist.Requests{Layout: hist.Layout, Series: []hist.RequestSeries{}, Named: p.reportNamed()}
	for k, s := range p.ledger.All() {
		r.Series = append(r.Series, s.report(k))
	}
	return r
}

func (s *series) report(k common.Key) hist.RequestSeries {
	r := hist.RequestSeries{
		Target: k.Target, Level: k.Level, Slice: k.Slice, OK: s.OK.Load(), Bytes: s.bytes.Load(), Counted: s.counted.Load(),
		Request: s.request.Snapshot(), TTFB: s.ttfb.Snapshot(), Late: s.late.Snapshot(), Connect: s.Connect.Snapshot(),
		TTFT: s.ttft.Snapshot(), Itl: s.itl.Snapshot(),
	}
	if c := s.token.Snapshot(); c.Count > 0 {
		r.FirstToken = &c
	}
	if c := s.fanOut.Snapshot(); c.Count > 0 {
		r.FanOut = &c
	}
	r.Retried = s.Retried()
	r.Failed, r.Reasons = s.Failed()
	r.Started = s.Started.Load() // last, so that ended requests never exceed started ones
	return r
}
