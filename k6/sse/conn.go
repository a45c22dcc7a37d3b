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

// maxIdle limits the addresses to which a VU keeps a connection.
const maxIdle = 64

// A conn is a kept-alive connection of one VU. k6's dialer makes it, which applies the options
// hosts, blacklistIPs, localIPs and dns. Bytes count for data_sent and data_received. Reads bypass
// the dialer's connection (see client.readable).
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
		_ = nc.Close() // it cannot be used
		return nil, errNoTCP
	}
	tcp, ok := counted.Conn.(syscall.Conn)
	if !ok {
		_ = nc.Close() // it cannot be used
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

// receive reads the available bytes without waiting.
func (c *conn) receive(fd uintptr, p []byte) (int, syscall.Errno) {
	n, errno := receive(fd, p, 0)
	if n > 0 {
		atomic.AddInt64(c.BytesRead, int64(n))
	}
	return n, errno
}

// receive is recv(2). It never blocks, so Go's scheduler is not involved.
func receive(fd uintptr, p []byte, flags uintptr) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)),
		syscall.MSG_DONTWAIT|flags, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// recheck is the longest wait of a read before it looks at the socket again: see client.readable.
// Most streams are shorter. Tests shorten it, so that it happens in each of them.
var recheck = time.Second

// extend allows the connection to wait until the next recheck or the deadline.
func (c *conn) extend(deadline time.Time) error {
	next := time.Now().Add(recheck)
	if deadline.Before(next) {
		next = deadline
	}
	return c.SetDeadline(next)
}

// goOn returns nil if err is nil or only reports a recheck.
func (c *conn) goOn(ctx context.Context, err error, deadline time.Time) error {
	if err == nil || ctx.Err() != nil || !isTimeout(err) || !time.Now().Before(deadline) {
		return err
	}
	return c.extend(deadline)
}

// usable reports whether an idle connection is still open and quiet. A write would show this too
// late: it would fail a good stream, or send a request twice.
func (c *conn) usable() bool {
	err := c.raw.Read(c.peeked)
	return err == nil && c.quiet
}

// A pool holds the idle connections of one VU, which has one stream at a time.
type pool map[string]*conn

// take returns the connection to an address, ready to write, and whether it was used before.
func (p pool) take(ctx context.Context, dialer lib.DialContexter, addr string, deadline time.Time) (c *conn, reused bool, err error) {
	if c, ok := p[addr]; ok {
		// Set the new deadline first, since that of the stream before may be over.
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
	_ = c.Close() // it cannot be used, and the result of Close does not matter
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
