package sse

import (
	"bytes"
	"fmt"
	"time"

	"fairstream/k6/common/hist"
)

// A measure is what is seen of one stream, while it comes. Events of one read
// have one time, that of the read: a clock that is asked more often would tell
// how fast this parser is.
type measure struct {
	start  time.Time     // just before the first byte of the request is written
	at     time.Duration // from start to the read that is being parsed
	unixNS int64         // the wall clock at that read, which the stub's stamps go by

	events, tokens    int // [DONE] is no event; a token is an event with content
	reads             int // that ended an event
	bodyBytes         int64
	firstEvent        time.Duration // 0 when there was none
	firstToken        time.Duration
	lastToken         time.Duration
	itls, tokenDelays values

	done, after bool // [DONE] came; something came after it

	disorder   bool
	due, came  int          // the first index out of order: what was due, what came
	seen       map[int]bool // the indices from due on, once there is disorder
	doubled    int          // tokens whose index had come before
	unnumbered int          // tokens without index and stamp
	failure    bool         // an event that tells of an error
}

func (m *measure) reset() {
	*m = measure{itls: m.itls.reset(), tokenDelays: m.tokenDelays.reset()}
}

// event takes the data of one event; none comes after [DONE].
func (m *measure) event(data []byte) {
	if string(data) == "[DONE]" {
		m.done = true
		return
	}
	m.events++
	if m.events == 1 {
		m.firstEvent = m.at
	}
	content := contentOf(data)
	if len(content) == 0 {
		m.failure = m.failure || bytes.HasPrefix(data, []byte(`{"error"`))
		return
	}
	if m.tokens == 0 {
		m.firstToken = m.at
	} else {
		m.itls.add(int64(m.at - m.lastToken))
	}
	m.lastToken = m.at
	index, stamp, ok := stampOf(content)
	switch {
	case !ok:
		m.unnumbered++
	case m.disorder || index != m.tokens-m.unnumbered:
		m.outOfOrder(index)
	}
	if ok {
		m.tokenDelays.add(m.unixNS - stamp)
	}
	m.tokens++
}

// outOfOrder takes the index of the first token out of order, and of all that follow:
// up to it, each came once.
func (m *measure) outOfOrder(index int) {
	if !m.disorder {
		m.disorder, m.due, m.came, m.seen = true, m.tokens-m.unnumbered, index, map[int]bool{}
	}
	if index < m.due || m.seen[index] {
		m.doubled++
	}
	m.seen[index] = true
}

// outcomes are the kinds of a stream's end: "" is well, the rest are the keys
// of what histograms() counts under failed.
const (
	refused     = "connect"
	timedOut    = "timeout"
	cut         = "cut"
	malformed   = "malformed"
	badStatus   = "status"
	badType     = "content_type"
	failedEvent = "error_event"
	misnumbered = "order"
	notDone     = "not_done"
	afterDone   = "after_done"
	miscounted  = "tokens"
	interrupted = "interrupted"
)

// verdict says what is wrong with an answer that came whole: the kind, and the
// words. want is the number of tokens that are due, or -1.
func (m *measure) verdict(want int) (kind, text string) {
	switch {
	case m.failure:
		return failedEvent, fmt.Sprintf("error event after %d tokens", m.tokens)
	case m.unnumbered > 0:
		return misnumbered, "token without the stub's index and stamp"
	case m.disorder:
		return misnumbered, fmt.Sprintf("token %d came when %d was due", m.came, m.due)
	case m.over(want):
		return miscounted, fmt.Sprintf("more than %d tokens", want)
	case !m.done:
		return notDone, fmt.Sprintf("no [DONE] after %d tokens", m.tokens)
	case m.after:
		return afterDone, "bytes after [DONE]"
	case want >= 0 && m.tokens != want:
		return miscounted, fmt.Sprintf("%d tokens; want %d", m.tokens, want)
	}
	return "", ""
}

// over says that more tokens came than are due.
func (m *measure) over(want int) bool { return want >= 0 && m.tokens > want }

func (m *measure) ordered() bool { return m.unnumbered == 0 && !m.disorder }

// values gathers durations of one stream until it is known whether it counts.
// Two bytes are kept of each, so a stream of a million tokens takes 4 MB.
type values struct {
	buckets     []uint16
	sum         int64 // ns
	least, most int64 // ns
	negative    int   // before 0: the wall clock was set back, or is not the stub's
}

// keptBytes is what a VU keeps of a buffer from one stream to the next.
const keptBytes = 64 << 10

func (v *values) reset() values {
	if cap(v.buckets) > keptBytes/2 {
		return values{}
	}
	return values{buckets: v.buckets[:0]}
}

func (v *values) add(ns int64) {
	if ns < 0 {
		v.negative++
		ns = 0
	}
	if len(v.buckets) == 0 || ns < v.least {
		v.least = ns
	}
	v.most = max(v.most, ns)
	v.sum += ns
	v.buckets = append(v.buckets, uint16(hist.Bucket(us(ns))))
}

func (v *values) addTo(h *hist.Histogram) {
	h.AddBuckets(v.buckets, us(v.sum), us(v.least), us(v.most))
}

// mean is in nanoseconds; there must be a value.
func (v *values) mean() float64 { return float64(v.sum) / float64(len(v.buckets)) }

// us rounds nanoseconds to microseconds.
func us(ns int64) int64 { return (ns + 500) / 1000 }
