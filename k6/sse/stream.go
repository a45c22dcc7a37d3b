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

// readBytes is what one read takes at most: some 60 events of the stub, so
// that a client that fell behind catches up in few reads.
const readBytes = 16 << 10

// What ends an answer that does not end itself. maxReads is how many reads in a row
// are made before the deadline is looked at: only the poller knows it, which is not
// asked while there is more to read. maxBytes is of the whole answer: more than the
// stub can be asked for in 20 tokens.
const (
	maxReads = 64
	maxBytes = 1 << 30
)

// A client sends requests and reads streams for one VU. It is not net/http's:
// that one hands each answer between three goroutines and parses what nobody
// asks for, and k6 and the server share the cores.
type client struct {
	conns  pool
	in     []byte // what was read
	events events
	m      measure
	status int
	stream bool // the content type is right
	reused bool
	began  time.Time // with the connecting
	// connect is 0 when a connection was reused.
	connect, duration time.Duration
	excerpt           []byte // the beginning of a body that is no stream

	// Of the answer that is being read:
	cn         *conn
	length     int // bytes of the header that are in
	parsed     bool
	h          head
	bytes      int64 // all, with header and framing
	want       int   // tokens, or -1
	more       bool  // there may be more to read, and it is time to ask the poller
	err        error
	onReadable func(fd uintptr) bool // readable, made once
}

func newClient() *client {
	c := &client{conns: pool{}, in: make([]byte, readBytes)}
	c.onReadable = c.readable
	return c
}

// post sends a request, ready to be written, and reads the answer to its end.
// What it saw is in c, also after an error. kind is "" when all is well.
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

// lost says which end closed the connection, and when.
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

// errLong is of an answer of more than maxBytes.
var errLong = errors.New("answer longer than 1 GiB")

// errEnough ends an answer whose verdict is known before its end.
var errEnough = errors.New("enough was seen")

func wrong(err error) error { return fmt.Errorf("%w: %w", errMalformed, err) }

// aborted is a deadline that is over: it ends a read that waits.
var aborted = time.Unix(1, 0)

// exchange sends a request and reads its answer. The connection may be used
// again only when keep says so.
func (c *client) exchange(ctx context.Context, cn *conn, request []byte, deadline time.Time) (keep bool, err error) {
	stop := context.AfterFunc(ctx, func() { _ = cn.SetDeadline(aborted) }) // fails on one that is closed
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

// readable reads what there is. It is called when the socket may have
// something, first of all at once, and returns false to be called again when
// more has come. Then Go waits without another read that would find nothing,
// which net.Conn.Read cannot do: that is one system call less for each token.
//
// It is safe because a read that did not fill the buffer emptied the socket,
// so what comes later wakes us. But not always the end of the connection: it may
// have come with the bytes that were just read. A body that tells its own end
// does not need it, and one that is cut is found out by the next recheck.
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

// room is where the next bytes are read to.
func (c *client) room() []byte {
	if c.parsed {
		return c.in
	}
	if c.length == len(c.in) {
		c.in = append(c.in, make([]byte, c.length)...)
	}
	return c.in[c.length:]
}

// take takes n bytes that were read: of the header, and then of the body.
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

// excerptBytes is how much of a refusal is quoted.
const excerptBytes = 200

// body takes bytes that came after the header.
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
