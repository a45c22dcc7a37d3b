package sse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"go.k6.io/k6/lib"
)

// readBytes limits one read. It holds about 60 events of the stub, so a client that fell behind
// catches up in few reads.
const readBytes = 16 << 10

// Limits of an answer without end. maxReads is the number of consecutive reads before a look at the
// deadline. Only the poller knows the deadline, and it is not involved while there are bytes.
// maxBytes limits the whole answer, above what the stub sends in 20 tokens.
const (
	maxReads = 64
	maxBytes = 1 << 30
)

// A client sends requests and reads streams for one VU. It does not use net/http, which passes each
// answer between three goroutines and parses more than needed, while k6 and the server share the
// cores.
type client struct {
	conns  pool
	in     []byte // bytes of the last read
	events events
	m      measure
	status int
	stream bool // the content type is right
	reused bool
	began  time.Time // includes connecting
	// connect is 0 for a reused connection.
	connect, duration time.Duration
	excerpt           []byte // begin of a body other than a stream

	// State of the current answer:
	cn         *conn
	length     int // bytes of the header so far
	parsed     bool
	h          head
	bytes      int64 // all bytes, with header and framing
	want       int   // expected tokens, or -1
	more       bool  // there may be more to read, but it is time to ask the poller
	err        error
	onReadable func(fd uintptr) bool // the method readable, bound once
}

func newClient() *client {
	c := &client{conns: pool{}, in: make([]byte, readBytes)}
	c.onReadable = c.readable
	return c
}

// post sends a prepared request and reads the answer to its end. c holds what it saw, also after an
// error. kind is "" for a complete stream.
func (c *client) post(ctx context.Context, dialer lib.DialContexter, addr string, request []byte, want int, timeout time.Duration) (kind, text string) {
	c.m.reset()
	c.events.reset()
	c.status, c.stream, c.connect, c.duration, c.excerpt, c.want = 0, false, 0, 0, c.excerpt[:0], want
	c.began = time.Now()
	deadline := c.began.Add(timeout)

	cn, reused, err := c.conns.take(ctx, dialer, addr, deadline)
	c.reused = reused
	if err == nil {
		if !reused {
			c.connect = time.Since(c.began)
		}
		keep := false
		keep, err = c.exchange(ctx, cn, request, deadline)
		if !keep {
			c.conns.drop(addr, cn)
		}
		c.duration = time.Since(c.m.start)
	}
	switch {
	case ctx.Err() != nil:
		return interrupted, "interrupted: " + ctx.Err().Error()
	case err != nil && (isTimeout(err) || errors.Is(err, context.DeadlineExceeded)):
		return timedOut, fmt.Sprintf("no end after %v: %d tokens", timeout, c.m.tokens)
	case err != nil && c.m.start.IsZero():
		return refused, err.Error()
	case errors.Is(err, errMalformed):
		return malformed, err.Error()
	case err != nil:
		return cut, c.lost(err)
	case c.status != 200:
		return badStatus, fmt.Sprintf("status %d: %s", c.status, c.excerpt)
	case !c.stream:
		return badType, fmt.Sprintf("content type is not text/event-stream: %s", c.excerpt)
	}
	return c.m.verdict(want)
}

// lost describes which end closed the connection, and when.
func (c *client) lost(err error) string {
	what := "the connection broke"
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		what = "the server closed the connection"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		what = "the server reset the connection"
	}
	kept := ""
	if c.reused {
		kept = ", which an earlier stream had used,"
	}
	return fmt.Sprintf("%s%s after %d tokens: %v", what, kept, c.m.tokens, err)
}

var errMalformed = errors.New("malformed answer")

// errLong means an answer of more than maxBytes.
var errLong = errors.New("answer longer than 1 GiB")

// errEnough ends an answer whose fault is known before its end.
var errEnough = errors.New("enough was seen")

func wrong(err error) error { return fmt.Errorf("%w: %w", errMalformed, err) }

// aborted is a deadline in the past, which ends a waiting read.
var aborted = time.Unix(1, 0)

// exchange sends a request and reads its answer. keep reports whether the connection may be reused.
func (c *client) exchange(ctx context.Context, cn *conn, request []byte, deadline time.Time) (keep bool, err error) {
	stop := context.AfterFunc(ctx, func() { _ = cn.SetDeadline(aborted) }) // fails on a closed connection
	defer func() { keep = stop() && keep }()

	c.cn, c.length, c.parsed, c.bytes, c.err = cn, 0, false, 0, nil
	c.m.start = time.Now()
	for len(request) > 0 {
		n, err := cn.Write(request)
		request = request[n:]
		if err = cn.goOn(ctx, err, deadline); err != nil {
			return false, err
		}
	}
	for {
		c.more = false
		err := cn.raw.Read(c.onReadable)
		switch {
		case err == nil && c.more:
			continue
		case err == nil && c.err == errEnough:
			return false, nil
		case err == nil:
			return c.err == nil && !c.h.close, c.err
		}
		if err = cn.goOn(ctx, err, deadline); err != nil {
			return false, err
		}
	}
}

// readable reads the available bytes. The poller calls it at once and whenever the socket may have
// more. It returns false to be called again. So Go waits without a read that finds nothing, which
// net.Conn.Read cannot do. That saves one system call for each token.
//
// A read that did not fill the buffer emptied the socket, so later bytes wake us. The end of the
// connection may not: it may have come together with the last bytes. A body with a length or chunks
// does not need it. The next recheck finds a body that was cut.
func (c *client) readable(fd uintptr) bool {
	for range maxReads {
		p := c.room()
		n, errno := c.cn.receive(fd, p)
		now := time.Now()
		c.m.at, c.m.unixNS = now.Sub(c.m.start), now.UnixNano()
		switch {
		case errno == syscall.EINTR:
			continue
		case errno == syscall.EAGAIN:
			return false
		case errno != 0:
			c.err = errno
			return true
		case n == 0:
			c.err = io.ErrUnexpectedEOF
			if c.parsed {
				c.err = c.h.transfer.end()
			}
			return true
		}
		if c.err = c.take(n); c.err != nil || c.parsed && c.h.transfer.over {
			return true
		}
		if n < len(p) && c.parsed && c.h.transfer.kind != untilClose {
			return false
		}
	}
	c.more = true
	return true
}

// room is the buffer for the next bytes.
func (c *client) room() []byte {
	if c.parsed {
		return c.in
	}
	if c.length == len(c.in) {
		c.in = append(c.in, make([]byte, c.length)...)
	}
	return c.in[c.length:]
}

// take reads n bytes from the buffer: first the header, and then the body.
func (c *client) take(n int) error {
	if c.bytes += int64(n); c.bytes > maxBytes {
		return wrong(errLong)
	}
	if c.parsed {
		return c.body(&c.h.transfer, c.in[:n])
	}
	c.length += n
	h, length, err := parseHead(c.in[:c.length])
	switch {
	case err != nil:
		return wrong(err)
	case length == 0 && c.length >= maxHeadBytes:
		return wrong(errLongHead)
	case length == 0:
		return nil
	}
	c.h, c.parsed = h, true
	c.status, c.stream = h.status, h.stream && h.status == 200
	return c.body(&c.h.transfer, c.in[length:c.length])
}

// excerptBytes limits the quote from a refusal.
const excerptBytes = 200

// body reads bytes after the header.
func (c *client) body(t *transfer, p []byte) error {
	before, wasDone := c.m.events, c.m.done
	for len(p) > 0 && !t.over {
		data, rest, err := t.next(p)
		if err != nil {
			return wrong(err)
		}
		p = rest
		c.m.bodyBytes += int64(len(data))
		if !c.stream {
			c.excerpt = append(c.excerpt, data[:min(len(data), excerptBytes-len(c.excerpt))]...)
		} else if err := c.events.feed(data, &c.m); err != nil {
			return wrong(err)
		}
	}
	if len(p) > 0 {
		return wrong(errors.New("bytes after the end of the answer"))
	}
	if c.m.events > before || c.m.done != wasDone {
		c.m.reads++
	}
	if c.m.after || c.m.over(c.want) {
		return errEnough
	}
	return nil
}
