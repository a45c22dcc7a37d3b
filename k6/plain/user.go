package plain

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"fairstream/k6/common"
	"fairstream/k6/common/http1"
	"fairstream/k6/shared/events"
	"fairstream/k6/shared/request"
	"fairstream/k6/shared/subset"
)

// A user has the requests of one VU.
type user struct {
	*common.VU
	done   func(kind string)   // VU.Done
	among  func(k int64) int64 // VU.Among
	ledger *common.Ledger[series]
	rings  map[common.Key]*ring
	ring   *ring // of the slice
	next   int   // place in the ring
	series *series
	answer
	stream stream // of an answer that has one
}

// An answer is the state of the current answer.
type answer struct {
	want    *exchange
	first   time.Duration // to the complete header
	status  int
	came    int    // bytes of the body
	fault   string // kind of the first difference, or ""
	text    string // describes it
	excerpt []byte // begin of the body of another status
	parses  bool   // the body's JSON value is compared
	whole   []byte // the body, if it is parsed
}

// Kinds of answers that ended and are wrong, besides those of http1.
const (
	badStatus = "status"
	badHeader = "header"
	badBody   = "body"
	badStream = "stream"
)

// Enter takes the requests of a slice.
func (u *user) Enter(k common.Key) (err error) {
	u.ring = u.rings[common.Key{Level: k.Level, Target: k.Target}]
	u.series, err = u.ledger.Get(k)
	return err
}

// Send sends the next request of the ring.
func (u *user) Send() {
	e := u.ring.place(&u.next, u.among)
	u.answer = u.answer.next(e)
	if e.stream != nil {
		u.stream.reset(e.stream, &u.ring.fan)
	}
	u.series.Started.Add(1)
	e.named.start()
	if e.stream != nil && e.stream.Followers > 0 {
		u.await(e, time.Now())
		return
	}
	u.Client.Send(e.request, e.bodyless, u.ring.timeout)
}

// parseOneIn is how many answers to a request come for each one whose JSON value is compared, from the first
// on. Parsing 1 kB takes about three times the CPU time of the rest of a request (BenchmarkParsedBody), and the
// rig must not take the cores from what it measures. So the load costs k6 about a fifth more, and not four times
// as much. A level still compares hundreds of values.
const parseOneIn = 16

// keptBytes limits the buffer that a VU keeps for its next body.
const keptBytes = 4 << 10

// next is the state before an answer. It keeps buffers.
func (a *answer) next(want *exchange) answer {
	n := answer{want: want, excerpt: a.excerpt[:0], parses: want.json != nil && (want.answers.Add(1)-1)%parseOneIn == 0}
	if cap(a.whole) <= keptBytes {
		n.whole = a.whole[:0]
	}
	return n
}

func (u *user) Head(h *http1.Head) {
	u.first = u.At
	u.answer.head(h)
	if u.want.stream == nil || u.fault == badStatus {
		return
	}
	if kind, _ := h.Value("content-type"); !events.IsStream(kind) {
		u.differs(badHeader, fmt.Sprintf("content-type: %q; want text/event-stream", http1.Short(kind)))
	}
	if u.want.stream.Follows {
		u.ring.fan.joined()
	}
}

// Enough also ends the answer of a follower, which may have no end.
func (u *user) Enough() bool {
	return u.answer.Enough() || u.want.stream != nil && u.want.stream.Follows && u.stream.ended
}

// Body compares the next bytes.
func (u *user) Body(p []byte) error {
	if u.want.stream == nil || u.fault != "" {
		return u.answer.Body(p)
	}
	u.came += len(p)
	u.stream.at, u.stream.now = u.At, u.Start.Add(u.At)
	return u.stream.reader.Feed(p, &u.stream)
}

func (a *answer) head(h *http1.Head) {
	a.status = h.Status
	if a.status != a.want.status {
		a.fault = badStatus
		return
	}
	for _, d := range a.want.headers {
		value, ok := h.Value(d.name)
		if !ok || !slices.Contains(d.values, string(value)) {
			a.differs(badHeader, fmt.Sprintf("%s: %q; want %q", d.name, http1.Short(value), d.values))
		}
	}
}

// differs notes a difference, unless there was one before.
func (a *answer) differs(kind, text string) {
	if a.fault == "" {
		a.fault, a.text = kind, text
	}
}

// excerptBytes limits the quotes from an answer.
const excerptBytes = 200

// Body compares the next bytes.
func (a *answer) Body(p []byte) error {
	if a.status != a.want.status {
		a.excerpt = append(a.excerpt, p[:min(len(p), excerptBytes-len(a.excerpt))]...)
		return nil
	}
	if !a.want.exact {
		if a.parses && len(a.whole) <= request.MostJSONBytes {
			a.whole = append(a.whole, p...)
		}
		a.came += len(p)
		return nil
	}
	want := a.want.body[min(a.came, len(a.want.body)):]
	want = want[:min(len(p), len(want))]
	if !bytes.Equal(p, want) {
		i := 0
		for i < len(want) && p[i] == want[i] {
			i++
		}
		a.differs(badBody, fmt.Sprintf("body differs at byte %d: %q; want %q", a.came+i, quote(p[i:]), quote(a.want.body[min(a.came+i, len(a.want.body)):])))
	}
	a.came += len(p)
	return nil
}

// quote is the begin of a text.
func quote(p []byte) []byte { return p[:min(len(p), 40)] }

// Enough ends an answer that is longer than the expected one. It may have no end.
func (a *answer) Enough() bool { return a.want.exact && a.came > len(a.want.body) }

// End counts the request.
func (u *user) End(f *http1.Failure) {
	kind, text := u.verdict(f)
	if kind == "" && u.want.stream != nil {
		if text = u.stream.fault(); text != "" {
			kind = badStream
		}
	}
	u.series.end(u, kind, text)
	u.done(kind)
}

// verdict returns the fault of an answer. kind is "" for a correct one.
func (a *answer) verdict(f *http1.Failure) (kind, text string) {
	switch {
	case f != nil:
		return f.Kind, f.Text(fmt.Sprintf("%d bytes of the body", a.came))
	case a.fault == badStatus:
		return badStatus, fmt.Sprintf("status %d: %s; want %d", a.status, a.excerpt, a.want.status)
	case a.fault != "":
		return a.fault, a.text
	case a.parses:
		return a.parsed()
	case a.want.exact && !slices.Contains(a.want.lengths, a.came):
		return badBody, fmt.Sprintf("body ends after %d bytes; want %d", a.came, len(a.want.body))
	}
	return "", ""
}

// parsed compares the JSON value of the body.
func (a *answer) parsed() (kind, text string) {
	if len(a.whole) > request.MostJSONBytes {
		return badBody, fmt.Sprintf("body is longer than %d bytes; want a shorter one as JSON, or compare every byte", request.MostJSONBytes)
	}
	value, err := subset.Decode(a.whole)
	if err != nil {
		return badBody, fmt.Sprintf("body %q is not JSON: %v", quote(a.whole), err)
	}
	if text := subset.Missing(a.want.json, value); text != "" {
		return badBody, "body: " + text
	}
	return "", ""
}
