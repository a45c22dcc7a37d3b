package sse

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"fairstream/k6/sse/hist"
)

// A key says what load a stream was part of. The script names the parts as it
// likes; empty ones are fine.
type key struct {
	target  string // what is loaded
	plateau string // of the scenario
	slice   string // a turn of the target
}

// A series is all streams of one key: how many, how they ended, and the times
// of those that ended well. It is added to when a stream ends, so one that
// fails leaves no time behind: a fast failure must not make a server look fast.
type series struct {
	key
	begun, ok atomic.Int64
	negative  atomic.Int64 // transits before 0
	// Of all streams, those that failed too: tokens of the stub that came, and those
	// of them that had come before.
	tokens, doubled atomic.Int64
	// connect is of connections that were made, whatever became of the stream.
	stream, ttft, ttfe, gap, transit, connect hist.Histogram

	mu     sync.Mutex
	failed map[string]int64 // by kind; kinds are constants, so they are few
}

// A ledger holds the series of a process. It outlives the VUs: handleSummary
// runs in one of its own.
type ledger struct {
	mu     sync.Mutex
	series map[key]*series
}

// maxSeries bounds a script that counts where it should name: a slice per
// iteration would keep memory for each.
const maxSeries = 2_000

var errSeries = errors.New("more than 2000 combinations of target, plateau and slice")

func (l *ledger) get(k key) (*series, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.series[k]; s != nil {
		return s, nil
	}
	if len(l.series) >= maxSeries {
		return nil, errSeries
	}
	s := &series{key: k, failed: map[string]int64{}}
	if l.series == nil {
		l.series = map[key]*series{}
	}
	l.series[k] = s
	return s, nil
}

// end counts a stream's end: kind is "" when it ended well.
func (s *series) end(c *client, kind string) {
	if c.connect > 0 {
		s.connect.Add(us(int64(c.connect)))
	}
	s.tokens.Add(int64(c.m.tokens - c.m.unnumbered))
	if kind != "" {
		s.doubled.Add(int64(c.m.doubled)) // a stream that has some is never whole
		s.mu.Lock()
		s.failed[kind]++
		s.mu.Unlock()
		return
	}
	s.ok.Add(1)
	s.stream.Add(us(int64(c.duration)))
	if m := &c.m; m.events > 0 {
		s.ttfe.Add(us(int64(m.firstEvent)))
		if m.tokens > 0 {
			s.ttft.Add(us(int64(m.firstToken)))
		}
		m.gaps.addTo(&s.gap)
		m.transits.addTo(&s.transit)
		s.negative.Add(int64(m.transits.negative))
	}
}

// report copies all series, in order of their keys.
func (l *ledger) report() hist.Report {
	l.mu.Lock()
	all := make([]*series, 0, len(l.series))
	for _, s := range l.series {
		all = append(all, s)
	}
	l.mu.Unlock()
	slices.SortFunc(all, func(a, b *series) int {
		return cmp.Or(cmp.Compare(a.target, b.target), cmp.Compare(a.plateau, b.plateau), cmp.Compare(a.slice, b.slice))
	})
	r := hist.Report{Layout: hist.Layout, Series: make([]hist.Series, 0, len(all))}
	for _, s := range all {
		r.Series = append(r.Series, s.report())
	}
	return r
}

func (s *series) report() hist.Series {
	r := hist.Series{
		Target: s.target, Plateau: s.plateau, Slice: s.slice,
		OK: s.ok.Load(), Failed: map[string]int64{}, NegativeTransit: s.negative.Load(),
		Tokens: new(s.tokens.Load()), Doubled: s.doubled.Load(),
		Stream: s.stream.Snapshot(), TTFT: s.ttft.Snapshot(), TTFE: s.ttfe.Snapshot(),
		Gap: s.gap.Snapshot(), Transit: s.transit.Snapshot(), Connect: s.connect.Snapshot(),
	}
	s.mu.Lock()
	for kind, n := range s.failed {
		r.Failed[kind] = n
	}
	s.mu.Unlock()
	r.Begun = s.begun.Load() // last, so that none has ended that was not begun
	return r
}
