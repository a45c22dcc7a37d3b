package http1

import (
	"errors"
	"io"
)

// maxBytes limits an answer, which may have no end.
const maxBytes = 1 << 30

// keptBytes limits the buffer that an Answer keeps for the next one.
const keptBytes = 4 << 10

var (
	errLong  = errors.New("answer longer than 1 GiB")
	errAfter = errors.New("bytes after the end of the answer")
)

// A Body takes the parts of an answer. The bytes are valid until the call returns.
type Body interface {
	// Head takes the header, before the body.
	Head(h *Head)
	// Body takes the next bytes of the body. An error means that the answer is malformed.
	Body(p []byte) error
}

// An Answer reads an answer from pieces that may end anywhere. It does not copy them, except those
// of an incomplete header.
type Answer struct {
	bodyless bool  // the request was HEAD
	parsed   bool  // head is complete
	bytes    int64 // with header and framing
	head     headReader
	partial  []byte // an incomplete header
}

// Reset prepares for the next answer. bodyless says that it has no body, whatever its header says.
func (a *Answer) Reset(bodyless bool) {
	*a = Answer{bodyless: bodyless, partial: a.partial[:0]}
	if cap(a.partial) > keptBytes {
		a.partial = nil
	}
}

// Over reports whether the answer has ended.
func (a *Answer) Over() bool { return a.parsed && a.head.transfer.over }

// ended takes the end of the connection. It is an error unless the answer ends with it.
func (a *Answer) ended() error {
	if !a.parsed {
		return io.ErrUnexpectedEOF
	}
	return a.head.transfer.end()
}

// Take reads the next bytes. It is an error if they go on after the end of the answer.
func (a *Answer) Take(p []byte, to Body) error {
	if a.bytes += int64(len(p)); a.bytes > maxBytes {
		return errLong
	}
	if !a.parsed {
		if len(a.partial) > 0 {
			a.partial = append(a.partial, p...)
			p = a.partial
		}
		length, err := a.head.read(p, a.bodyless)
		switch {
		case err != nil:
			return err
		case length == 0 && len(p) >= maxHeadBytes:
			return errLongHead
		case length == 0:
			if len(a.partial) == 0 {
				a.partial = append(a.partial, p...)
			}
			return nil
		}
		a.parsed = true
		to.Head(&a.head.Head)
		p = p[length:]
	}
	for t := &a.head.transfer; len(p) > 0 && !t.over; {
		data, rest, err := t.next(p)
		if err != nil {
			return err
		}
		p = rest
		if len(data) > 0 {
			if err := to.Body(data); err != nil {
				return err
			}
		}
	}
	if len(p) > 0 {
		return errAfter
	}
	return nil
}
