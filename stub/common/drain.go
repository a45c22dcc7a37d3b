package common

import (
	"net"
	"syscall"
	"time"
	"unsafe"
)

// Drained waits until the client's kernel has all written bytes. It returns false if the client leaves first.
// A reset discards bytes on the way, so without this a @cut=5 could cut before the fifth token.
func (c *Conn) Drained() bool {
	for {
		left, err := c.unsent()
		if err != nil {
			return false
		}
		if left == 0 {
			return true
		}
		select {
		case <-c.gone:
			return false
		case <-time.After(time.Millisecond): // the kernel does not report an empty queue
		}
	}
}

// Resets makes the close of the connection a reset.
func (c *Conn) Resets() bool {
	tcp, ok := c.Conn.(*net.TCPConn)
	return !ok || tcp.SetLinger(0) == nil // closing then sends RST
}

// unsent counts the written bytes that the client has not accepted.
func (c *Conn) unsent() (n int32, err error) {
	sc, ok := c.Conn.(syscall.Conn)
	if !ok {
		return 0, nil
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return 0, err
	}
	var errno syscall.Errno
	err = raw.Control(func(fd uintptr) {
		// For a socket TIOCOUTQ is SIOCOUTQ, which package syscall does not have.
		_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCOUTQ, uintptr(unsafe.Pointer(&n)))
	})
	if err == nil && errno != 0 {
		err = errno
	}
	return n, err
}
