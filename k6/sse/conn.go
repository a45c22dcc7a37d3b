package sse

import (
	"context"
	"errors"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"go.k6.io/k6/lib"
	"go.k6.io/k6/lib/netext"
)

// maxIdle bounds the addresses to which a VU keeps a connection.
const maxIdle = 64

// A conn is a kept-alive connection of one VU. It is made by k6's dialer,
// which knows the options hosts, blacklistIPs, localIPs and dns. Bytes are
// counted where that one counts them, for data_sent and data_received; reading
// goes past it (see client.readable).
type conn struct {
	*netext.Conn
	raw    syscall.RawConn
	peeked func(fd uintptr) bool
	quiet  bool
}

var errNoTCP = errors.New("k6's dialer made something else than a TCP connection")

func dial(ctx context.Context, dialer lib.DialContexter, addr string) (*conn, error) {
	nc, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	counted, _ := nc.(*netext.Conn)
	if counted == nil {
		_ = nc.Close() // it is of no use
		return nil, errNoTCP
	}
	tcp, ok := counted.Conn.(syscall.Conn)
	if !ok {
		_ = nc.Close() // it is of no use
		return nil, errNoTCP
	}
	c := &conn{Conn: counted}
	c.peeked = func(fd uintptr) bool {
		var b [1]byte
		_, errno := receive(fd, b[:], syscall.MSG_PEEK)
		c.quiet = errno == syscall.EAGAIN
		return true
	}
	c.raw, err = tcp.SyscallConn()
	return c, err
}

// receive reads what has come, without waiting.
func (c *conn) receive(fd uintptr, p []byte) (int, syscall.Errno) {
	n, errno := receive(fd, p, 0)
	if n > 0 {
		atomic.AddInt64(c.BytesRead, int64(n))
	}
	return n, errno
}

// receive is recv(2). It never blocks, so Go's scheduler need not hear of it.
func receive(fd uintptr, p []byte, flags uintptr) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)),
		syscall.MSG_DONTWAIT|flags, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// recheck is how long a read waits at most before it looks at the socket
// without being told: see client.readable. Most streams are shorter. Tests
// shorten it, so that what hangs on it happens in each of them.
var recheck = time.Second

// extend lets the connection wait until the next recheck, or the deadline.
func (c *conn) extend(deadline time.Time) error {
	next := time.Now().Add(recheck)
	if deadline.Before(next) {
		next = deadline
	}
	return c.SetDeadline(next)
}

// goOn returns nil if err is none, or only says that a recheck is due.
func (c *conn) goOn(ctx context.Context, err error, deadline time.Time) error {
	if err == nil || ctx.Err() != nil || !isTimeout(err) || !time.Now().Before(deadline) {
		return err
	}
	return c.extend(deadline)
}

// usable says whether the server has neither closed an idle connection nor
// sent something that nobody asked for. To find that out by writing would
// either fail a stream that did nothing wrong or send a request twice.
func (c *conn) usable() bool {
	err := c.raw.Read(c.peeked)
	return err == nil && c.quiet
}

// A pool is the idle connections of one VU, which has one stream at a time.
type pool map[string]*conn

// take returns the connection to an address, ready to be written, and whether
// it is a used one.
func (p pool) take(ctx context.Context, dialer lib.DialContexter, addr string, deadline time.Time) (c *conn, reused bool, err error) {
	if c, ok := p[addr]; ok {
		// The deadline of the stream before may be over, so the new one comes first.
		if c.extend(deadline) == nil && c.usable() {
			return c, true, nil
		}
		p.drop(addr, c)
	}
	if len(p) >= maxIdle {
		p.dropAll()
	}
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	c, err = dial(ctx, dialer, addr)
	if err != nil {
		return nil, false, err
	}
	p[addr] = c
	return c, false, c.extend(deadline)
}

func (p pool) drop(addr string, c *conn) {
	_ = c.Close() // it is of no use, whatever closing says
	delete(p, addr)
}

func (p pool) dropAll() {
	for addr, c := range p {
		p.drop(addr, c)
	}
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}
