package http1

import (
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// maxReads is the number of consecutive reads before other clients have their turn. An answer may
// have no end.
const maxReads = 16

// A Reader judges answers. A client calls it on its loop.
type Reader interface {
	Body
	// Enough reports that the verdict is known before the end of the answer. The client asks after
	// each read, and then leaves the answer with its connection.
	Enough() bool
	// End is called once for each request. failure is nil for an answer that ended, or was enough.
	// The next request may begin in it.
	End(failure *Failure)
}

// A Client has one connection to one address, and one request at a time.
type Client struct {
	// What happened to the current request:
	Began   time.Time     // includes connecting
	Connect time.Duration // 0 on a connection that was used before
	Start   time.Time     // just before the first byte of the request; zero without a connection
	Retried bool          // the server had closed the connection while it was idle, so there was a second one
	At      time.Duration // from Start to the last read
	Sent    int64         // bytes since the client was made
	Came    int64         // as above, received

	loop     *Loop
	slot     int32
	address  Address
	reader   Reader
	fd       int // -1: no connection
	state    state
	used     bool // the connection had a request before this one
	dialled  time.Time
	gone     bool          // the server has closed its side
	timeout  time.Duration // of the request
	deadline time.Duration // on the loop's clock
	timer    timer
	answer   Answer
	request  []byte
	out      []byte // the rest of the request
	waits    bool   // for the socket to take more
	queued   bool   // the loop will read again, without an event
}

type state int

const (
	idle       state = iota // no request
	connecting              // the request waits for the connection
	open                    // the request is being sent or answered
)

// NewClient makes a client of a loop, on its thread or before its start.
func (l *Loop) NewClient(a Address, r Reader) *Client {
	c := &Client{loop: l, slot: int32(len(l.clients)), address: a, reader: r, fd: -1}
	l.clients = append(l.clients, c)
	return c
}

// Loop is the client's loop.
func (c *Client) Loop() *Loop { return c.loop }

// Call calls a function at a time on the loop's clock. A client has one such call at a time.
func (c *Client) Call(at time.Duration, call func()) {
	c.timer.at, c.timer.call = at, call
	c.loop.timers.add(&c.timer)
}

// CallNow makes the call that is set, if there is one, due at once.
func (c *Client) CallNow() {
	if c.timer.in > 0 {
		c.timer.at = 0
		c.loop.timers.rise(&c.timer)
	}
}

// Send sends a request. bodyless says that its answer has no body, which is so for HEAD. The bytes
// must not change until the end.
func (c *Client) Send(request []byte, bodyless bool, timeout time.Duration) {
	c.Began, c.Start, c.Connect, c.At, c.Retried, c.timeout = time.Now(), time.Time{}, 0, 0, false, timeout
	c.deadline = c.Began.Sub(c.loop.base) + timeout
	c.answer.Reset(bodyless)
	c.request, c.out = request, request
	c.loop.open++
	// A write would show a closed connection too late: it would fail a good request, or send one
	// twice.
	if c.fd >= 0 && !quiet(c.fd) {
		c.close()
	}
	c.used = c.fd >= 0
	if c.used {
		c.start(c.Began)
		return
	}
	c.connect()
}

// connect sends the request on a new connection.
func (c *Client) connect() {
	c.dialled = time.Now()
	fd, err := connect(c.address)
	if err == nil {
		c.fd, c.gone = fd, false
		err = c.watch(unix.EPOLL_CTL_ADD, unix.EPOLLOUT)
	}
	if err != nil {
		c.fail(Refused, err)
		return
	}
	c.state = connecting
}

// watch chooses the events of the connection, besides bytes and its end. They are edge-triggered:
// the kernel reports a change once, so the client needs no call for each request.
func (c *Client) watch(op int, more uint32) error {
	e := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET | more, Fd: c.slot}
	return unix.EpollCtl(c.loop.epoll, op, c.fd, &e)
}

// start sends the request on an open connection.
func (c *Client) start(now time.Time) {
	c.state = open
	if c.Start.IsZero() {
		c.Start = now
	}
	c.write()
}

// write sends what the socket takes. It returns true when all was sent.
func (c *Client) write() bool {
	for len(c.out) > 0 {
		n, errno := send(c.fd, c.out)
		c.out = c.out[n:]
		c.Sent += int64(n)
		switch errno {
		case 0, syscall.EINTR:
			continue
		case syscall.EAGAIN:
			if !c.waits {
				c.waits = true
				if err := c.watch(unix.EPOLL_CTL_MOD, unix.EPOLLOUT); err != nil {
					c.fail(Cut, err)
				}
			}
		default:
			c.fail(Cut, errno)
		}
		return false
	}
	if c.waits {
		c.waits = false
		if err := c.watch(unix.EPOLL_CTL_MOD, 0); err != nil {
			c.fail(Cut, err)
			return false
		}
	}
	return true
}

// ready takes events of the connection.
func (c *Client) ready(events uint32) {
	const ended = unix.EPOLLRDHUP | unix.EPOLLHUP | unix.EPOLLERR
	c.gone = c.gone || events&ended != 0
	switch c.state {
	case idle:
		c.close() // the server closed it, or sent what nobody asked for
	case connecting:
		errno, err := unix.GetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_ERROR)
		if err == nil && errno != 0 {
			err = fmt.Errorf("connect: %w", syscall.Errno(errno))
		}
		if err == nil {
			err = c.watch(unix.EPOLL_CTL_MOD, 0)
		}
		if err != nil {
			c.fail(Refused, err)
			return
		}
		now := time.Now()
		c.Connect = now.Sub(c.dialled)
		c.start(now)
	case open:
		if len(c.out) == 0 || c.write() {
			c.read()
		}
	}
}

// read reads the available bytes. A read that did not fill the buffer emptied the socket, and later
// bytes are another event. The end of the connection is an event too. Once that came, the client
// reads on until it finds the end.
func (c *Client) read() {
	p := c.loop.buffer
	for range maxReads {
		if c.state != open {
			return // it ended meanwhile
		}
		n, errno := receive(c.fd, p, 0)
		c.At = time.Since(c.Start)
		c.Came += int64(n)
		switch {
		case errno == syscall.EINTR:
			continue
		case errno == syscall.EAGAIN:
			return
		case errno != 0:
			c.fail(Cut, errno)
			return
		case n == 0:
			if err := c.answer.ended(); err != nil {
				c.fail(Cut, err)
			} else {
				c.finish(nil)
			}
			return
		}
		err := c.answer.Take(p[:n], c.reader)
		switch {
		case err != nil:
			c.fail(Malformed, fmt.Errorf("malformed answer: %w", err))
			return
		case c.reader.Enough():
			c.close()
			c.finish(nil)
			return
		case c.answer.Over():
			c.finish(nil)
			return
		}
		if n < len(p) && !c.gone {
			return
		}
	}
	if !c.queued {
		c.queued = true
		c.loop.again = append(c.loop.again, c)
	}
}

// expire ends a request whose time is over.
func (c *Client) expire(now time.Duration) {
	if c.state != idle && now >= c.deadline {
		c.fail(TimedOut, fmt.Errorf("no end after %v", c.timeout))
	}
}

// Interrupt ends a request because the run ends.
func (c *Client) Interrupt(err error) {
	if c.state != idle {
		c.fail(Interrupted, fmt.Errorf("interrupted: %w", err))
	}
}

// fail ends a request, and its connection, with a failure. A server may close an idle connection just as the request
// leaves. No byte of an answer has come then, and every client sends the request once more.
func (c *Client) fail(kind string, err error) {
	c.close()
	if kind == Cut && c.used && c.answer.bytes == 0 {
		c.used, c.Retried, c.out = false, true, c.request
		c.connect()
		return
	}
	c.finish(&Failure{Kind: kind, err: err, used: c.used})
}

// finish ends a request. The connection stays for the next one, unless either side closes it.
func (c *Client) finish(f *Failure) {
	c.state, c.request, c.out = idle, nil, nil
	c.loop.open--
	if c.fd >= 0 && (c.answer.head.close || c.gone) {
		c.close()
	}
	c.reader.End(f)
}

// close ends the connection, if there is one. The kernel then forgets its events.
func (c *Client) close() {
	if c.fd >= 0 {
		_ = unix.Close(c.fd) // it cannot be used, and the result does not matter
		c.fd, c.waits = -1, false
	}
}
