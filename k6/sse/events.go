package sse

import (
	"bytes"
	"errors"
)

// maxEventBytes limits an unfinished event. The longest event of the stub has 4 MiB of token and
// its escapes.
const maxEventBytes = 32 << 20

var errLongEvent = errors.New("event longer than 32 MiB")

// events splits a body into server-sent events (WHATWG HTML 9.2.5 and 9.2.6). Lines end with CR LF,
// LF or CR, and an event with an empty line. Pieces may end anywhere. It reads the field "data"
// only. An event without an empty line at its end does not count.
//
// It allocates nothing for an event. It copies only the part of an event at the end of a read.
type events struct {
	pending []byte // the current event, from its first byte

	// Positions in the current event:
	line   int // begin of its last line
	looked int // no line ends before this

	lines      int // bytes of data so far
	data, stop int // the only data line, if there is one
	joined     []byte

	began  bool // the first line of the body has ended
	skipLF bool // the last byte was a CR, and an LF may follow
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

// feed takes the next bytes of the body and calls m.event for each event that ends in them.
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

// scan returns the begin of the event that p does not finish.
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
