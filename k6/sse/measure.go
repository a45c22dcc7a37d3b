package sse

import (
	"bytes"
	"fmt"
	"time"

	"fairstream/k6/common"
)

// A measure collects what one stream shows. Events of one read share its time. Asking the clock
// more often would measure this parser.
type measure struct {
	at     time.Duration // from the first byte of the request to the current read
	unixNS int64         // wall clock at that read, for comparison with the stub's stamps

	events, tokens    int           // [DONE] is not an event; a token is an event with content
	firstEvent        time.Duration // 0 without one
	firstToken        time.Duration
	lastToken         time.Duration
	itls, tokenDelays common.Durations

	done bool // [DONE] arrived

	disorder   bool
	due, came  int          // first index out of order: expected, received
	seen       map[int]bool // indices from expected on, after the first disorder
	doubled    int          // tokens that repeated an index
	unnumbered int          // tokens without index and stamp
	failure    bool         // an event that reports an error
}

func (m *measure) reset() {
	*m = measure{itls: m.itls.Reset(), tokenDelays: m.tokenDelays.Reset()}
}

// Event reads the data of one event. No event follows [DONE].
func (m *measure) Event(data []byte) (last bool) {
	if string(data) == "[DONE]" {
		m.done = true
		return true
	}
	m.events++
	if m.events == 1 {
		m.firstEvent = m.at
	}
	content := contentOf(data)
	if len(content) == 0 {
		m.failure = m.failure || bytes.HasPrefix(data, []byte(`{"error"`))
		return false
	}
	if m.tokens == 0 {
		m.firstToken = m.at
	} else {
		m.itls.Add(m.at - m.lastToken)
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
		m.tokenDelays.Add(time.Duration(m.unixNS - stamp))
	}
	m.tokens++
	return false
}

// outOfOrder takes the index of the first token out of order and of all later ones. Each index
// before them arrived once.
func (m *measure) outOfOrder(index int) {
	if !m.disorder {
		m.disorder, m.due, m.came, m.seen = true, m.tokens-m.unnumbered, index, map[int]bool{}
	}
	if index < m.due || m.seen[index] {
		m.doubled++
	}
	m.seen[index] = true
}

// Kinds of streams that ended and are not ok, besides those of http1.
const (
	badStatus   = "status"
	badType     = "content_type"
	failedEvent = "error_event"
	misnumbered = "order"
	notDone     = "not_done"
	afterDone   = "after_done"
	miscounted  = "tokens"
)

// verdict returns the fault of an answer that reached its end: its kind and a text. want is the
// number of tokens, or -1. after says whether bytes came after [DONE].
func (m *measure) verdict(want int, after bool) (kind, text string) {
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
	case after:
		return afterDone, "bytes after [DONE]"
	case want >= 0 && m.tokens != want:
		return miscounted, fmt.Sprintf("%d tokens; want %d", m.tokens, want)
	}
	return "", ""
}

// over reports whether more tokens arrived than wanted.
func (m *measure) over(want int) bool { return want >= 0 && m.tokens > want }

func (m *measure) ordered() bool { return m.unnumbered == 0 && !m.disorder }
