package http1

import (
	"bytes"
	"errors"
	"io"
)

// transfer removes HTTP's framing from a body: chunks, a length, or the end of the connection (RFC
// 9112, 6 and 7). It skips chunk extensions and trailers. Its limits are those of net/http.
type transfer struct {
	kind    framing
	state   chunkState
	then    chunkState // after the line feed that inEnd wants
	left    int64      // bytes left of the chunk, or of the body
	digits  int        // of a chunk's size
	line    int        // bytes of the line of a chunk's size
	excess  int64      // bytes of such lines that their chunks do not explain
	trailer []byte     // lines after the last chunk
	lines   int        // bytes of its complete lines
	over    bool       // the body has ended
}

// Limits of net/http: of such a line or of all trailers, and of excess.
const (
	maxLineBytes   = 4 << 10
	maxExcessBytes = 16 << 10
)

type framing int

const (
	untilClose framing = iota
	byLength
	byChunks
)

type chunkState int

const (
	inSize chunkState = iota
	inSpace
	inExtension
	inData
	inEnd // LF, since CR came
	afterData
	inTrailer
	ended
)

var (
	errChunk   = errors.New("malformed chunk")
	errExcess  = errors.New("too many bytes of chunk extensions")
	errTrailer = errors.New("trailers longer than 4 KiB")
)

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
	for i := 0; i < len(p); i++ {
		if t.state == inData {
			n := min(int64(len(p)-i), t.left)
			if t.left -= n; t.left == 0 {
				t.state = afterData
			}
			return p[i : i+int(n)], p[i+int(n):], nil
		}
		if err := t.framing(p[i]); err != nil {
			return nil, nil, err
		}
		if t.over {
			return nil, p[i+1:], nil
		}
	}
	return nil, nil, nil
}

// framing takes a byte between chunks.
func (t *transfer) framing(c byte) error {
	switch t.state {
	case inSize, inSpace, inExtension:
		if t.line++; t.line >= maxLineBytes {
			return errExcess
		}
		return t.size(c)
	case afterData:
		if c != '\r' {
			return errChunk
		}
		t.state, t.then = inEnd, inSize
	case inEnd:
		if c != '\n' {
			return errChunk
		}
		switch t.state = t.then; t.state {
		case inData:
			return t.sized()
		case ended:
			t.over = true
		}
	case inTrailer:
		return t.trail(c)
	}
	return nil
}

// size takes a byte of the line of a chunk's size.
func (t *transfer) size(c byte) error {
	digit := hex(c)
	switch {
	case c == '\n':
		return errChunk
	case c == '\r' && t.digits > 0:
		t.state, t.then = inEnd, inData
	case t.state == inExtension:
	case c == ';' && t.state == inSize && t.digits > 0:
		t.state = inExtension
	case (c == ' ' || c == '\t') && t.digits > 0:
		t.state = inSpace
	case digit >= 0 && t.state == inSize && t.digits < 16 && t.left < 1<<59: // so nothing overflows
		t.left, t.digits = t.left<<4|digit, t.digits+1
	default:
		return errChunk
	}
	return nil
}

// sized begins a chunk.
func (t *transfer) sized() error {
	t.excess = max(0, t.excess+int64(t.line)+1-16-2*t.left)
	t.digits, t.line = 0, 0
	if t.excess > maxExcessBytes {
		return errExcess
	}
	if t.left == 0 {
		t.state = inTrailer
	}
	return nil
}

// trail takes a byte after the last chunk. Nearly all answers have no trailer, and then keep nothing.
func (t *transfer) trail(c byte) error {
	if c == '\r' && len(t.trailer) == t.lines {
		t.state, t.then = inEnd, ended
		return nil
	}
	t.trailer = append(t.trailer, c)
	switch {
	case len(t.trailer) > maxLineBytes-2: // the last line has two bytes
		return errTrailer
	case c != '\n':
		return nil
	}
	line, crlf := bytes.CutSuffix(t.trailer[t.lines:], []byte("\r\n"))
	if !crlf {
		return errChunk
	}
	t.lines = len(t.trailer)
	_, _, err := splitField(line)
	return err
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
