// Package events splits a body into server-sent events.
package events

import (
	"bytes"
	"errors"
)

// maxEventBytes limits an unfinished event. The longest event of the stub has 4 MiB of token and
// its escapes.
const maxEventBytes = 32 << 20

var errLongEvent = errors.New("event longer than 32 MiB")

// A Sink takes events.
type Sink interface {
	// Event takes the data of one event, which is valid until it returns. It reports whether that was the last one.
	Event(data []byte) (last bool)
}

// A Reader splits a body (WHATWG HTML 9.2.5 and 9.2.6). Lines end with CR LF, LF or CR, and an event
// with an empty line. Pieces may end anywhere. It reads the fields "data" and "event". An event without an
// empty line at its end does not count.
//
// It allocates nothing for an event. It copies only the part of an event at the end of a read.
type Reader struct {
	After bool // bytes came after the last event

	pending []byte // the current event, from its first byte

	// Positions in the current event:
	line   int // begin of its last line
	looked int // no line ends before this

	lines      int // bytes of data so far
	data, stop int // the only data line, if there is one
	joined     []byte

	named, nameStop int    // the name of the event
	name            []byte // the same, until the sink returns

	began  bool // the first line of the body has ended
	skipLF bool // the last byte was a CR, and an LF may follow
	over   bool // the last event came
}

// keptBytes limits the buffers that a Reader keeps for the next body.
const keptBytes = 64 << 10

// Reset begins another body.
func (e *Reader) Reset() {
	if cap(e.pending) > keptBytes {
		e.pending = nil
	}
	if cap(e.joined) > keptBytes {
		e.joined = nil
	}
	*e = Reader{pending: e.pending[:0], joined: e.joined[:0]}
}

// Name is the name of the event that the sink has; empty without one.
func (e *Reader) Name() []byte { return e.name }

// Feed takes the next bytes of the body, and gives the sink each event that ends in them. It is an error if an event is
// longer than 32 MiB.
func (e *Reader) Feed(p []byte, to Sink) error {
	if e.skipLF && len(p) > 0 {
		e.skipLF = false
		if p[0] == '\n' {
			p = p[1:]
		}
	}
	if e.over {
		e.After = e.After || len(p) > 0
		return nil
	}
	if len(e.pending) == 0 {
		e.pending = append(e.pending, p[e.scan(p, to):]...)
	} else {
		e.pending = append(e.pending, p...)
		rest := copy(e.pending, e.pending[e.scan(e.pending, to):])
		e.pending = e.pending[:rest]
	}
	if len(e.pending) > maxEventBytes {
		return errLongEvent
	}
	return nil
}

// scan returns the begin of the event that p does not finish.
func (e *Reader) scan(p []byte, to Sink) int {
	begin := 0
	for {
		from := begin + e.looked
		n := lineEnd(p[from:])
		if n < 0 {
			e.looked = len(p) - begin
			return begin
		}
		end := from + n
		next := end + 1
		if p[end] == '\r' {
			if next == len(p) {
				e.skipLF = true
			} else if p[next] == '\n' {
				next++
			}
		}
		if line := begin + e.line; line < end {
			e.field(p[begin:], line-begin, end-begin)
			e.line, e.looked = next-begin, next-begin
			continue
		}
		e.name = p[begin+e.named : begin+e.nameStop]
		switch e.lines {
		case 0:
		case 1:
			e.over = to.Event(p[begin+e.data : begin+e.stop])
		default:
			e.over = to.Event(e.joined)
		}
		begin, e.line, e.looked, e.lines, e.began = next, 0, 0, 0, true
		e.named, e.nameStop = 0, 0
		if e.over {
			e.After = begin < len(p)
			return len(p)
		}
	}
}

// lineEnd returns the position of the first CR or LF, or -1.
func lineEnd(p []byte) int {
	lf := bytes.IndexByte(p, '\n')
	if lf < 0 {
		return bytes.IndexByte(p, '\r')
	}
	if cr := bytes.IndexByte(p[:lf], '\r'); cr >= 0 {
		return cr
	}
	return lf
}

// field reads the line event[from:to], which is not empty.
func (e *Reader) field(event []byte, from, to int) {
	if !e.began {
		e.began = true
		if bytes.HasPrefix(event[from:to], []byte("\ufeff")) {
			from += len("\ufeff")
		}
	}
	if at, ok := value(event[:to], from, "event"); ok {
		e.named, e.nameStop = at, to
	}
	at, ok := value(event[:to], from, "data")
	if !ok {
		return
	}
	switch e.lines {
	case 0:
		e.data, e.stop = at, to
	case 1:
		e.joined = append(e.joined[:0], event[e.data:e.stop]...)
		fallthrough
	default:
		e.joined = append(append(e.joined, '\n'), event[at:to]...)
	}
	e.lines++
}

// value returns where the value of a field begins in the line from a position on. ok is false for a line of another field.
func value(event []byte, from int, field string) (at int, ok bool) {
	if !bytes.HasPrefix(event[from:], []byte(field)) {
		return 0, false
	}
	at = from + len(field)
	if at == len(event) {
		return at, true
	}
	if event[at] != ':' {
		return 0, false
	}
	at++
	if at < len(event) && event[at] == ' ' {
		at++
	}
	return at, true
}

// IsStream reports whether a content type is text/event-stream, with any parameters.
func IsStream(contentType []byte) bool {
	kind, _, _ := bytes.Cut(contentType, []byte{';'})
	return bytes.EqualFold(bytes.TrimRight(kind, " \t"), []byte("text/event-stream"))
}
