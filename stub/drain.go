package main

import (
	"syscall"
	"time"
	"unsafe"
)

// drained waits until the client's kernel has all that was written; it returns
// false if the client leaves first. A reset throws away what is still on its
// way, so without this a @cut=5 would cut anywhere before the fifth token.
func (c *conn) drained() bool {
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
		case <-time.After(time.Millisecond): // the kernel tells no one when its queue is empty
		}
	}
}

// unsent is the number of bytes written that the client has not accepted.
func (c *conn) unsent() (n int32, err error) {
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
		// For a socket TIOCOUTQ is SIOCOUTQ, which package syscall does not name.
		_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCOUTQ, uintptr(unsafe.Pointer(&n)))
	})
	if err == nil && errno != 0 {
		err = errno
	}
	return n, err
}
