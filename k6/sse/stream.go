package sse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"go.k6.io/k6/lib"
)

// readBytes is what one read takes at most: some 60 events of the stub, so
// that a client that fell behind catches up in few reads.
const readBytes = 16 << 10

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
}

func newClient() *client { return &client{conns: pool{}, in: make([]byte, readBytes)} }

// post sends a request, ready to be written, and reads the answer to its end.
// What it saw is in c, also after an error. kind is "" when all is well.
func (c *client) post(ctx context.Context, dialer lib.DialContexter, addr string, request []byte, want int, timeout time.Duration) (kind, text string) {
	c.m.reset()
	c.events.reset()
	c.status, c.stream, c.connect, c.duration, c.excerpt = 0, false, 0, 0, c.excerpt[:0]
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
		return cut, fmt.Sprintf("connection ended after %d tokens: %v", c.m.tokens, err)
	case c.status != 200:
		return badStatus, fmt.Sprintf("status %d: %s", c.status, c.excerpt)
	case !c.stream:
		return badType, fmt.Sprintf("content type is not text/event-stream: %s", c.excerpt)
	}
	return c.m.verdict(want)
}

var errMalformed = errors.New("malformed answer")

func wrong(err error) error { return fmt.Errorf("%w: %w", errMalformed, err) }

// aborted is a deadline that is over: it ends a read that waits.
var aborted = time.Unix(1, 0)

// exchange sends a request and reads its answer. The connection may be used
// again only when keep says so.
func (c *client) exchange(ctx context.Context, cn *conn, request []byte, deadline time.Time) (keep bool, err error) {
	if err := cn.SetDeadline(deadline); err != nil {
		return false, err
	}
	stop := context.AfterFunc(ctx, func() { _ = cn.SetDeadline(aborted) })
	defer func() { keep = stop() && keep }()

	c.m.start = time.Now()
	if _, err := cn.Write(request); err != nil {
		return false, err
	}
	h, rest, err := c.head(cn)
	if err != nil {
		return false, err
	}
	c.status, c.stream = h.status, h.stream && h.status == 200
	for {
		if err := c.body(&h.transfer, rest); err != nil {
			return false, err
		}
		if h.transfer.over {
			return !h.close, nil
		}
		n, err := c.read(cn, c.in)
		if err == io.EOF {
			return false, h.transfer.end()
		}
		if err != nil {
			return false, err
		}
		rest = c.in[:n]
	}
}

// read reads once and notes the time.
func (c *client) read(cn *conn, p []byte) (int, error) {
	n, err := cn.Read(p)
	now := time.Now()
	c.m.at, c.m.unixNS = now.Sub(c.m.start), now.UnixNano()
	return n, err
}

// head reads to the end of the answer's header, and returns what came behind it.
func (c *client) head(cn *conn) (h head, rest []byte, err error) {
	n := 0
	for {
		if n == len(c.in) {
			if n >= maxHeadBytes {
				return h, nil, wrong(errLongHead)
			}
			c.in = append(c.in, make([]byte, n)...)
		}
		k, err := c.read(cn, c.in[n:])
		n += k
		if err == io.EOF {
			return h, nil, io.ErrUnexpectedEOF
		}
		if err != nil {
			return h, nil, err
		}
		h, length, err := parseHead(c.in[:n])
		if err != nil {
			return h, nil, wrong(err)
		}
		if length > 0 {
			return h, c.in[length:n], nil
		}
	}
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
	return nil
}
