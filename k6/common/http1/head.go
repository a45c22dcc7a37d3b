package http1

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxHeadBytes limits the header of an answer.
const maxHeadBytes = 64 << 10

var errLongHead = errors.New("header longer than 64 KiB")

// A Head is the status line and the header of an answer.
type Head struct {
	Status   int
	lines    []byte // header lines; valid as long as the bytes that were parsed
	close    bool   // the connection must not be reused
	transfer transfer
}

// Value returns the value of the last header line with a lower-case name. ok is false without one.
func (h *Head) Value(name string) (value []byte, ok bool) {
	for rest := h.lines; len(rest) > 0; {
		lf := bytes.IndexByte(rest, '\n')
		line := rest[:lf]
		rest = rest[lf+1:]
		if len(line) > len(name) && line[len(name)] == ':' && is(line[:len(name)], name) {
			value, ok = bytes.Trim(line[len(name)+1:], " \t\r"), true
		}
	}
	return value, ok
}

// A headReader reads a header from a buffer that grows. It looks at each byte once, so a header that drips costs no
// more than one that comes at once.
type headReader struct {
	Head
	at     int  // begin of the first incomplete line
	seen   int  // there is no line feed between at and here
	first  int  // begin of the header lines; 0: the status line is incomplete
	minor  byte // of HTTP/1.x, as a digit
	length bool // there is a Content-Length
	coding bool // there is a Transfer-Encoding
}

// read goes on in b, which begins as in the last call. It returns the length 0 for an incomplete header. It skips interim
// answers (100 Continue, 103 Early Hints). bodyless says that the request was HEAD.
func (r *headReader) read(b []byte, bodyless bool) (length int, err error) {
	for {
		lf := bytes.IndexByte(b[r.seen:], '\n')
		if lf < 0 {
			r.seen = len(b)
			return 0, nil
		}
		begin, next := r.at, r.seen+lf+1
		r.at, r.seen = next, next
		line := bytes.TrimSuffix(b[begin:next-1], []byte{'\r'})
		switch {
		case r.first == 0:
			err, r.first = r.statusLine(line), next
		case len(line) > 0:
			err = r.field(line)
		case r.Status < 200:
			*r = headReader{at: next, seen: next}
		default:
			r.lines = b[r.first:begin]
			r.frame(bodyless)
			return next, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// field reads a header line.
func (r *headReader) field(line []byte) error {
	name, value, err := splitField(line)
	if err != nil {
		return err
	}
	switch t := &r.transfer; {
	case is(name, "transfer-encoding"):
		if r.minor == '0' {
			return nil // it came with HTTP/1.1
		}
		if r.coding || !is(value, "chunked") {
			return fmt.Errorf("transfer-encoding %q: want chunked, once", Short(value))
		}
		r.coding, t.kind = true, byChunks
	case is(name, "content-length"):
		n, err := strconv.ParseUint(string(value), 10, 63)
		if err != nil || r.length && int64(n) != t.left {
			return fmt.Errorf("content-length %q: want one number", Short(value))
		}
		r.length, t.left = true, int64(n)
	case is(name, "connection"):
		for option := range strings.SplitSeq(string(value), ",") {
			switch strings.ToLower(strings.Trim(option, " \t")) {
			case "close":
				r.close = true
			case "keep-alive": // of HTTP/1.0
				r.close = false
			}
		}
	}
	return nil
}

// frame decides how the body ends.
func (r *headReader) frame(bodyless bool) {
	t := &r.transfer
	bodyless = bodyless || r.Status == 204 || r.Status == 304
	switch {
	case t.kind == byChunks:
		t.left = 0 // chunks take precedence over a length (RFC 9112, 6.3)
	case r.length:
		t.kind, t.over = byLength, t.left == 0
	case !bodyless:
		r.close = true // until the connection ends
	}
	t.over = t.over || bodyless
}

// splitField splits a header line. It takes what net/http takes, but for values that go on in the next line.
func splitField(line []byte) (name, value []byte, err error) {
	colon := bytes.IndexByte(line, ':')
	if colon < 1 || line[0] == ' ' {
		return nil, nil, fmt.Errorf("malformed header line %q", Short(line))
	}
	name, value = line[:colon], line[colon+1:]
	for _, c := range name {
		if !nameBytes[c] {
			return nil, nil, fmt.Errorf("malformed name in the header line %q", Short(line))
		}
	}
	for _, c := range value {
		if c < ' ' && c != '\t' || c == 0x7f {
			return nil, nil, fmt.Errorf("control character in the header line %q", Short(line))
		}
	}
	return name, bytes.Trim(value, " \t"), nil
}

// nameBytes are the bytes of a header's name: those of a token, and the space, which net/http takes too.
var nameBytes = func() (all [256]bool) {
	for c := range all {
		b := byte(c)
		all[c] = b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~ ", b) >= 0
	}
	return all
}()

func (r *headReader) statusLine(line []byte) error {
	if len(line) < len("HTTP/1.1 200") || !bytes.HasPrefix(line, []byte("HTTP/1.")) || line[7]-'0' > 9 || line[8] != ' ' {
		return fmt.Errorf("%q is not a status line of HTTP/1.1", Short(line))
	}
	status, err := strconv.Atoi(string(line[9:12]))
	if err != nil || status < 100 || len(line) > 12 && line[12] != ' ' {
		return fmt.Errorf("%q is not a status line of HTTP/1.1", Short(line))
	}
	r.minor, r.Status, r.close = line[7], status, line[7] == '0'
	return nil
}

// is compares without regard to case. EqualFold is slow, and most names differ in their length.
func is(b []byte, lower string) bool {
	return len(b) == len(lower) && bytes.EqualFold(b, []byte(lower))
}

// Short limits a quote in an error.
func Short(b []byte) []byte { return b[:min(len(b), 80)] }
