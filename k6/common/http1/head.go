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

// parseHead reads the header at the begin of b. It returns the length 0 for an incomplete header.
// It skips interim answers (100 Continue, 103 Early Hints). bodyless says that the request was HEAD.
func parseHead(b []byte, bodyless bool) (h Head, length int, err error) {
	for {
		h, n, err := parseOneHead(b[length:], bodyless)
		if err != nil || n == 0 {
			return Head{}, 0, err
		}
		length += n
		if h.Status >= 200 {
			return h, length, nil
		}
	}
}

func parseOneHead(b []byte, bodyless bool) (h Head, length int, err error) {
	lengthSeen := false
	first := 0 // begin of the header lines
	for rest := b; ; {
		lf := bytes.IndexByte(rest, '\n')
		if lf < 0 {
			return Head{}, 0, nil
		}
		line := bytes.TrimSuffix(rest[:lf], []byte{'\r'})
		rest = rest[lf+1:]
		if first == 0 {
			if err := h.statusLine(line); err != nil {
				return Head{}, 0, err
			}
			first = lf + 1
			continue
		}
		if len(line) == 0 {
			length = len(b) - len(rest)
			h.lines = b[first : length-lf-1]
			break
		}
		colon := bytes.IndexByte(line, ':')
		if colon < 1 {
			return Head{}, 0, fmt.Errorf("malformed header line %q", Short(line))
		}
		value := bytes.Trim(line[colon+1:], " \t")
		switch name := line[:colon]; {
		case is(name, "transfer-encoding"):
			if !is(value, "chunked") {
				return Head{}, 0, fmt.Errorf("transfer-encoding %q: want chunked", Short(value))
			}
			h.transfer.kind = byChunks
		case is(name, "content-length"):
			n, err := strconv.ParseInt(string(value), 10, 64)
			if err != nil || n < 0 || lengthSeen && n != h.transfer.left {
				return Head{}, 0, fmt.Errorf("content-length %q: want one number", Short(value))
			}
			lengthSeen, h.transfer.left = true, n
		case is(name, "connection"):
			for option := range strings.SplitSeq(string(value), ",") {
				switch strings.ToLower(strings.Trim(option, " \t")) {
				case "close":
					h.close = true
				case "keep-alive": // of HTTP/1.0
					h.close = false
				}
			}
		}
	}
	bodyless = bodyless || h.Status < 200 || h.Status == 204 || h.Status == 304
	switch {
	case h.transfer.kind == byChunks:
		h.transfer.left = 0 // chunks take precedence over a length (RFC 9112, 6.3)
	case lengthSeen:
		h.transfer.kind = byLength
		h.transfer.over = h.transfer.left == 0
	case !bodyless:
		h.close = true // until the connection ends
	}
	h.transfer.over = h.transfer.over || bodyless
	return h, length, nil
}

func (h *Head) statusLine(line []byte) error {
	if len(line) < len("HTTP/1.1 200") || !bytes.HasPrefix(line, []byte("HTTP/1.")) || line[8] != ' ' {
		return fmt.Errorf("%q is not a status line of HTTP/1.1", Short(line))
	}
	status, err := strconv.Atoi(string(line[9:12]))
	if err != nil || status < 100 || len(line) > 12 && line[12] != ' ' {
		return fmt.Errorf("%q is not a status line of HTTP/1.1", Short(line))
	}
	h.Status, h.close = status, line[7] == '0'
	return nil
}

// is compares without regard to case. EqualFold is slow, and most names differ in their length.
func is(b []byte, lower string) bool {
	return len(b) == len(lower) && bytes.EqualFold(b, []byte(lower))
}

// Short limits a quote in an error.
func Short(b []byte) []byte { return b[:min(len(b), 80)] }
