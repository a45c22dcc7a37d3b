package sse

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

// A head is the useful part of an answer's status line and header.
type head struct {
	status   int
	stream   bool // the content type is text/event-stream
	bodyless bool
	close    bool // the connection must not be reused
	transfer transfer
}

// parseHead reads the header at the begin of b. It returns the length 0 for an incomplete header.
// It skips interim answers (100 Continue, 103 Early Hints).
func parseHead(b []byte) (h head, length int, err error) {
	for {
		h, n, err := parseOneHead(b[length:])
		if err != nil || n == 0 {
			return head{}, 0, err
		}
		length += n
		if h.status >= 200 {
			return h, length, nil
		}
	}
}

func parseOneHead(b []byte) (h head, length int, err error) {
	lengthSeen := false
	first := true
	for rest := b; ; {
		lf := bytes.IndexByte(rest, '\n')
		if lf < 0 {
			return head{}, 0, nil
		}
		line := bytes.TrimSuffix(rest[:lf], []byte{'\r'})
		rest = rest[lf+1:]
		if first {
			if err := h.statusLine(line); err != nil {
				return head{}, 0, err
			}
			first = false
			continue
		}
		if len(line) == 0 {
			length = len(b) - len(rest)
			break
		}
		colon := bytes.IndexByte(line, ':')
		if colon < 1 {
			return head{}, 0, fmt.Errorf("malformed header line %q", short(line))
		}
		value := bytes.Trim(line[colon+1:], " \t")
		switch name := line[:colon]; {
		case is(name, "content-type"):
			h.stream = isStream(value)
		case is(name, "transfer-encoding"):
			if !is(value, "chunked") {
				return head{}, 0, fmt.Errorf("transfer-encoding %q: want chunked", short(value))
			}
			h.transfer.kind = byChunks
		case is(name, "content-length"):
			n, err := strconv.ParseInt(string(value), 10, 64)
			if err != nil || n < 0 || lengthSeen && n != h.transfer.left {
				return head{}, 0, fmt.Errorf("content-length %q: want one number", short(value))
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
	h.bodyless = h.status < 200 || h.status == 204 || h.status == 304
	switch {
	case h.transfer.kind == byChunks:
		h.transfer.left = 0 // chunks take precedence over a length (RFC 9112, 6.3)
	case lengthSeen:
		h.transfer.kind = byLength
		h.transfer.over = h.transfer.left == 0
	case !h.bodyless:
		h.close = true // until the connection ends
	}
	h.transfer.over = h.transfer.over || h.bodyless
	return h, length, nil
}

func (h *head) statusLine(line []byte) error {
	if len(line) < len("HTTP/1.1 200") || !bytes.HasPrefix(line, []byte("HTTP/1.")) || line[8] != ' ' {
		return fmt.Errorf("%q is not a status line of HTTP/1.1", short(line))
	}
	status, err := strconv.Atoi(string(line[9:12]))
	if err != nil || status < 100 || len(line) > 12 && line[12] != ' ' {
		return fmt.Errorf("%q is not a status line of HTTP/1.1", short(line))
	}
	h.status, h.close = status, line[7] == '0'
	return nil
}

// isStream reports whether a content type is text/event-stream, with any parameters.
func isStream(value []byte) bool {
	kind, _, _ := bytes.Cut(value, []byte{';'})
	return is(bytes.TrimRight(kind, " \t"), "text/event-stream")
}

func is(b []byte, lower string) bool {
	return len(b) == len(lower) && bytes.EqualFold(b, []byte(lower))
}

func short(b []byte) []byte { return b[:min(len(b), 80)] }
