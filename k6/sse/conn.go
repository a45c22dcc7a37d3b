package sse

import (
	"context"
	"errors"
	"net"
	"syscall"
	"time"
	"unsafe"

	"go.k6.io/k6/lib"
	"go.k6.io/k6/lib/netext"
)

// maxIdle bounds the addresses to which a VU keeps a connection.
const maxIdle = 64

// A conn is a kept-alive connection of one VU. It is made by k6's dialer,
// which knows the options hosts, blacklistIPs, localIPs and dns, and counts
// the bytes that are data_sent and data_received.
type conn struct {
	net.Conn
	raw    syscall.RawConn // nil when k6's dialer gave something else than TCP
	peeked func(fd uintptr) bool
	quiet  bool
}

func dial(ctx context.Context, dialer lib.DialContexter, addr string) (*conn, error) {
	nc, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: nc}
	if counted, ok := nc.(*netext.Conn); ok {
		if tcp, ok := counted.Conn.(*net.TCPConn); ok {
			c.raw, err = tcp.SyscallConn()
		}
	}
	c.peeked = func(fd uintptr) bool {
		var b [1]byte
		_, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, fd, uintptr(unsafe.Pointer(&b)), 1,
			syscall.MSG_PEEK|syscall.MSG_DONTWAIT, 0, 0)
		c.quiet = errno == syscall.EAGAIN
		return true
	}
	return c, err
}

// usable says whether the server has neither closed an idle connection nor
// sent something that nobody asked for. To find that out by writing would
// either fail a stream that did nothing wrong or send a request twice.
func (c *conn) usable() bool {
	if c.raw == nil {
		return true
	}
	err := c.raw.Read(c.peeked)
	return err == nil && c.quiet
}

// A pool is the idle connections of one VU, which has one stream at a time.
type pool map[string]*conn

// take returns the connection to an address, and whether it is a used one.
func (p pool) take(ctx context.Context, dialer lib.DialContexter, addr string, deadline time.Time) (c *conn, reused bool, err error) {
	if c, ok := p[addr]; ok {
		// The deadline of the stream before may be over.
		if c.SetDeadline(time.Time{}) == nil && c.usable() {
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
	return c, false, nil
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
