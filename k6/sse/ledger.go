package sse

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"fairstream/k6/common"
	"fairstream/k6/common/hist"
)

// A series counts the streams of one key, their ends, and the times of complete ones. Streams are
// added at their end. A failed stream adds no time, since a fast failure must not make a server
// look fast.
type series struct {
	started, ok atomic.Int64
	negative    atomic.Int64 // token delays below 0
	// Tokens of the stub that arrived, in failed streams too, and how many of them repeated an
	// earlier one.
	tokens, doubled atomic.Int64
	// connect covers all new connections, whatever happened to the stream.
	stream, ttft, ttfe, itl, tokenDelay, connect hist.Histogram

	mu      sync.Mutex
	failed  map[string]int64  // by kind; there are few kinds
	reasons map[string]string // the text of the first failure of each kind
}

// mostReason limits the text of a failure in bytes, since it may quote the server.
const mostReason = 300

// end counts the end of a stream. kind is "" for a complete stream, and text describes a failure.
func (s *series) end(c *client, kind, text string) {
	if c.connect > 0 {
		s.connect.Add(us(int64(c.connect)))
	}
	s.tokens.Add(int64(c.m.tokens - c.m.unnumbered))
	if kind != "" {
		s.doubled.Add(int64(c.m.doubled)) // a stream with repeated tokens always fails
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.failed == nil {
			s.failed, s.reasons = map[string]int64{}, map[string]string{}
		}
		if s.failed[kind] == 0 {
			s.reasons[kind] = strings.ToValidUTF8(text[:min(len(text), mostReason)], "?")
		}
		s.failed[kind]++
		return
	}
	s.ok.Add(1)
	s.stream.Add(us(int64(c.duration)))
	if m := &c.m; m.events > 0 {
		s.ttfe.Add(us(int64(m.firstEvent)))
		if m.tokens > 0 {
			s.ttft.Add(us(int64(m.firstToken)))
		}
		m.itls.addTo(&s.itl)
		m.tokenDelays.addTo(&s.tokenDelay)
		s.negative.Add(int64(m.tokenDelays.negative))
	}
}

// report copies all series, in order of their keys.
func report(l *common.Ledger[series]) hist.Report {
	r := hist.Report{Layout: hist.Layout, Series: []hist.Series{}}
	for k, s := range l.All() {
		r.Series = append(r.Series, s.report(k))
	}
	return r
}

func (s *series) report(k common.Key) hist.Series {
	r := hist.Series{
		Target: k.Target, Level: k.Level, Slice: k.Slice,
		OK: s.ok.Load(), Failed: map[string]int64{}, NegativeTokenDelay: s.negative.Load(),
		Tokens: new(s.tokens.Load()), Doubled: s.doubled.Load(),
		Stream: s.stream.Snapshot(), TTFT: s.ttft.Snapshot(), TTFE: s.ttfe.Snapshot(),
		Itl: s.itl.Snapshot(), TokenDelay: s.tokenDelay.Snapshot(), Connect: s.connect.Snapshot(),
	}
	s.mu.Lock()
	maps.Copy(r.Failed, s.failed)
	r.Reasons = maps.Clone(s.reasons)
	s.mu.Unlock()
	r.Started = s.started.Load() // last, so that ended streams never exceed started ones
	return r
}
