package sse

import (
	"sync/atomic"

	"fairstream/k6/common"
	"fairstream/k6/shared/hist"
)

// A series counts the streams of one key, their ends, and the times of complete ones. Streams are
// added at their end. A failed stream adds no time, since a fast failure must not make a server
// look fast.
type series struct {
	common.Outcomes
	negative atomic.Int64 // token delays below 0
	// Tokens of the stub that arrived, in failed streams too, and how many of them repeated an
	// earlier one.
	tokens, doubled                     atomic.Int64
	stream, ttft, ttfe, itl, tokenDelay hist.Histogram
}

// end counts the end of a stream. kind is "" for a complete stream, and text describes a failure.
func (s *series) end(u *user, kind, text string) {
	s.Sent(u.Client)
	m := &u.m
	s.tokens.Add(int64(m.tokens - m.unnumbered))
	if kind != "" {
		s.doubled.Add(int64(m.doubled)) // a stream with repeated tokens always fails
		s.Fail(kind, text)
		return
	}
	s.OK.Add(1)
	s.stream.Add(common.US(u.At))
	if m.events > 0 {
		s.ttfe.Add(common.US(m.firstEvent))
		if m.tokens > 0 {
			s.ttft.Add(common.US(m.firstToken))
		}
		m.itls.AddTo(&s.itl)
		m.tokenDelays.AddTo(&s.tokenDelay)
		s.negative.Add(int64(m.tokenDelays.Negative))
	}
}

// Report copies all series, in order of their keys.
func (p *protocol) Report() any {
	r := hist.Report{Layout: hist.Layout, Series: []hist.Series{}}
	for k, s := range p.ledger.All() {
		r.Series = append(r.Series, s.report(k))
	}
	return r
}

func (s *series) report(k common.Key) hist.Series {
	r := hist.Series{
		Target: k.Target, Level: k.Level, Slice: k.Slice,
		OK: s.OK.Load(), NegativeTokenDelay: s.negative.Load(),
		Tokens: new(s.tokens.Load()), Doubled: s.doubled.Load(),
		Stream: s.stream.Snapshot(), TTFT: s.ttft.Snapshot(), TTFE: s.ttfe.Snapshot(),
		Itl: s.itl.Snapshot(), TokenDelay: s.tokenDelay.Snapshot(), Connect: s.Connect.Snapshot(),
	}
	r.Retried = s.Retried()
	r.Failed, r.Reasons = s.Failed()
	r.Started = s.Started.Load() // last, so that ended streams never exceed started ones
	return r
}
