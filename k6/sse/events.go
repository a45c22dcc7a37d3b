package sse

import (
	"bytes"
	"errors"
)

// maxEventBytes bounds what is kept of an event that has not ended. The
// longest that the stub can be asked for is 4 MiB of token and its escapes.
const maxEventBytes = 32 << 20

var errLongEvent = errors.New("event longer than 32 MiB")

// events cuts a body into server-sent events as WHATWG HTML 9.2.5 and 9.2.6
// say: lines end in CR LF, LF or CR, an event in an empty line; pieces may end
// anywhere. Only the field "data" is looked at. An event that is not ended by
// an empty line is none.
//
// Nothing is allocated for an event, and nothing copied but the piece of an
// event at the end of a read.
type events struct {
	pending []byte // an event that has started, from its first byte

	// In the event that has started, from its first byte:
	line   int // where its last line begins
	looked int // how far no line end is

	lines      int // of data so far
	data, stop int // the only one, when there is one
	joined     []byte

	began  bool // the first line of the body is over
	skipLF bool // the last byte was a CR, whose LF may follow
}

func (e *events) reset() {
	if cap(e.pending) > keptBytes {
		e.pending = nil
	}
	if cap(e.joined) > keptBytes {
		e.joined = nil
	}
	*e = events{pending: e.pending[:0], joined: e.joined[:0]}
}

// feed takes the next bytes of the body and calls m.event for each event that
// they end.
func (e *events) feed(p []byte, m *measure) error {
	if e.skipLF && len(p) > 0 {
		e.skipLF = false
		if p[0] == '\n' {
			p = p[1:]
		}
	}
	if m.done {
		m.after = m.after || len(p) > 0
		return nil
	}
	if len(e.pending) == 0 {
		e.pending = append(e.pending, p[e.scan(p, m):]...)
	} else {
		e.pending = append(e.pending, p...)
		rest := copy(e.pending, e.pending[e.scan(e.pending, m):])
		e.pending = e.pending[:rest]
	}
	if len(e.pending) > maxEventBytes {
		return errLongEvent
	}
	return nil
}

// scan returns where the event begins that p does not end.
func (e *events) scan(p []byte, m *measure) int {
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
		switch e.lines {
		case 0:
		case 1:
			m.event(p[begin+e.data : begin+e.stop])
		default:
			m.event(e.joined)
		}
		begin, e.line, e.looked, e.lines, e.began = next, 0, 0, 0, true
		if m.done {
			m.after = begin < len(p)
			return len(p)
		}
	}
}

// lineEnd is where the first CR or LF is, or -1.
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

// field takes the line event[from:to], which is not empty.
func (e *events) field(event []byte, from, to int) {
	if !e.began {
		e.began = true
		if bytes.HasPrefix(event[from:to], []byte("\ufeff")) {
			from += len("\ufeff")
		}
	}
	if !bytes.HasPrefix(event[from:to], []byte("data")) {
		return
	}
	at := from + len("data")
	if at < to {
		if event[at] != ':' {
			return
		}
		at++
		if at < to && event[at] == ' ' {
			at++
		}
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
