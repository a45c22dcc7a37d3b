package server

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fairstream/k6/shared/events"
	"fairstream/k6/shared/request"
	"fairstream/k6/shared/subset"
)

// A Recorded is an answer as it came.
type Recorded struct {
	Status  int
	Headers map[string]string // the last of each name, which is in lower case
	Body    []byte
}

// Differs says how an answer differs from the expected one, as k6 compares it; "" if it does not.
func (e Exchange) Differs(got Recorded) string {
	want := e.Answer
	if got.Status != want.Status {
		return fmt.Sprintf("status %d: %s; want %d", got.Status, quote(got.Body), want.Status)
	}
	for _, name := range slices.Sorted(maps.Keys(want.Headers)) {
		value, ok := got.Headers[strings.ToLower(name)]
		if !ok {
			return fmt.Sprintf("header %s is missing; want %s", name, any(want.Headers[name]))
		}
		if !slices.Contains(want.Headers[name], value) {
			return fmt.Sprintf("header %s is %q; want %q", name, value, []string(want.Headers[name]))
		}
	}
	switch {
	case want.Body != nil && string(got.Body) != want.Body[0]:
		text := []byte(want.Body[0])
		at := firstDifference(got.Body, text)
		return fmt.Sprintf("the body has %d bytes and differs at byte %d: %s; want %d bytes with %s there", len(got.Body), at, quote(got.Body[at:]), len(text), quote(text[at:]))
	case want.Stream != nil:
		return streamFault(got, *want.Stream)
	case e.SHA256 != "":
		if sum := fmt.Sprintf("%x", sha256.Sum256(got.Body)); sum != e.SHA256 {
			return fmt.Sprintf("the body has %d bytes with sha256 %s; want %s", len(got.Body), sum, e.SHA256)
		}
	case want.JSON != nil && len(got.Body) > request.MostJSONBytes:
		return fmt.Sprintf("the body has %d bytes; want at most %d of a body that is compared as JSON, since k6 parses it", len(got.Body), request.MostJSONBytes)
	case want.JSON != nil:
		value, err := subset.Decode(got.Body)
		if err != nil {
			return fmt.Sprintf("the body is not JSON: %v: %s", err, quote(got.Body))
		}
		if text := subset.Missing(decoded(want.JSON), value); text != "" {
			return "JSON of the body: " + text
		}
	}
	return ""
}

// eventCount counts events, and notes whether the latest begins as the last one should.
type eventCount struct {
	want  request.Stream
	n     int
	ended bool
}

func (c *eventCount) Event(data []byte) bool {
	c.n++
	c.ended = c.want.Ends(data)
	return false
}

func streamFault(got Recorded, want request.Stream) string {
	if kind := got.Headers["content-type"]; !events.IsStream([]byte(kind)) {
		return fmt.Sprintf("header content-type is %q; want text/event-stream", kind)
	}
	count := eventCount{want: want}
	if err := new(events.Reader).Feed(got.Body, &count); err != nil {
		return err.Error()
	}
	return want.Fault(count.n, count.ended)
}

func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// quote is the begin of a body.
func quote(p []byte) string { return fmt.Sprintf("%q", p[:min(len(p), 80)]) }
