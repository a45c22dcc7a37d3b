package http1

import (
	"errors"
	"io"
)

// transfer removes HTTP's framing from a body: chunks, a length, or the end of the connection (RFC
// 9112, 6 and 7). It skips chunk extensions and trailers.
type transfer struct {
	kind  framing
	state chunkState
	left  int64 // bytes left of the chunk, or of the body
	seen  int   // digits of a chunk's size, or bytes of a trailer line
	over  bool  // the body has ended
}

type framing int

const (
	untilClose framing = iota
	byLength
	byChunks
)

type chunkState int

const (
	inSize chunkState = iota
	inExtension
	inData
	afterData // CR LF
	inTrailer
)

var errChunk = errors.New("malformed chunk")

// next reads p. It returns the first bytes of the body in p, and the rest of p. Without both, p
// held only framing.
func (t *transfer) next(p []byte) (body, rest []byte, err error) {
	switch t.kind {
	case untilClose:
		return p, nil, nil
	case byLength:
		n := min(int64(len(p)), t.left)
		t.left -= n
		t.over = t.left == 0
		return p[:n], p[n:], nil
	}
	for i := 0; i < len(p) && !t.over; i++ {
		c := p[i]
		switch t.state {
		case inSize:
			digit := hex(c)
			switch {
			case digit >= 0 && t.seen < 16 && t.left < 1<<59: // the limit of net/http, so nothing overflows
				t.left, t.seen = t.left<<4|digit, t.seen+1
			case t.seen == 0 || digit >= 0:
				return nil, nil, errChunk
			case c == '\n':
				t.sized()
			case c == '\r' || c == ';' || c == ' ' || c == '\t':
				t.state = inExtension
			default:
				return nil, nil, errChunk
			}
		case inExtension:
			if c == '\n' {
				t.sized()
			}
		case inData:
			n := min(int64(len(p)-i), t.left)
			if t.left -= n; t.left == 0 {
				t.state = afterData
			}
			return p[i : i+int(n)], p[i+int(n):], nil
		case afterData:
			switch c {
			case '\r':
			case '\n':
				t.state = inSize
			default:
				return nil, nil, errChunk
			}
		case inTrailer:
			switch c {
			case '\r':
			case '\n':
				t.over = t.seen == 0
				t.seen = 0
			default:
				t.seen++
			}
		}
		if t.over {
			return nil, p[i+1:], nil
		}
	}
	return nil, nil, nil
}

// sized reads the line of a chunk's size.
func (t *transfer) sized() {
	t.state, t.seen = inData, 0
	if t.left == 0 {
		t.state = inTrailer
	}
}

// end reports whether the body may end together with the connection.
func (t *transfer) end() error {
	if t.over || t.kind == untilClose {
		return nil
	}
	return io.ErrUnexpectedEOF
}

func hex(c byte) int64 {
	switch {
	case c-'0' <= 9:
		return int64(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int64(c|0x20-'a') + 10
	}
	return -1
}
