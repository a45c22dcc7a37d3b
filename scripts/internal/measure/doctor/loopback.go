package doctor

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// messageBytes is about the size of an event in OpenAI's format.
const messageBytes = 200

// A loopback is a TCP connection of this process with itself over 127.0.0.1,
// whose other end sends back what it gets.
type loopback struct{ near, far *os.File }

func newLoopback() (l loopback, err error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return l, fmt.Errorf("doctor: loopback: %w", err)
	}
	defer listener.Close()
	near, err := net.Dial("tcp4", listener.Addr().String())
	if err != nil {
		return l, fmt.Errorf("doctor: loopback: %w", err)
	}
	defer near.Close()
	far, err := listener.Accept()
	if err != nil {
		return l, fmt.Errorf("doctor: loopback: %w", err)
	}
	defer far.Close()
	if l.near, err = near.(*net.TCPConn).File(); err != nil {
		return l, fmt.Errorf("doctor: loopback: %w", err)
	}
	if l.far, err = far.(*net.TCPConn).File(); err != nil {
		return l, fmt.Errorf("doctor: loopback: %w", err)
	}
	go l.echo()
	return l, nil
}

// close ends the echo too: its read finds the end.
func (l loopback) close() { l.near.Close() }

func (l loopback) echo() {
	runtime.LockOSThread()
	defer l.far.Close() // as near, to be rid of it
	fd, message := blocking(l.far), make([]byte, messageBytes)
	for receive(fd, message) == nil {
		if _, err := unix.Write(fd, message); err != nil {
			return
		}
	}
}

// trips is how many seconds each round trip took, one after the other.
func (l loopback) trips(length time.Duration) (took []float64, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fd, message := blocking(l.near), make([]byte, messageBytes)
	for begun, now := time.Now(), time.Now(); len(took) == 0 || now.Sub(begun) < length; {
		start := now
		if _, err := unix.Write(fd, message); err != nil {
			return nil, fmt.Errorf("doctor: loopback: %w", err)
		}
		if err := receive(fd, message); err != nil {
			return nil, fmt.Errorf("doctor: loopback: %w", err)
		}
		now = time.Now()
		took = append(took, now.Sub(start).Seconds())
	}
	return took, nil
}

// blocking is a descriptor whose reads wait in the kernel: what is timed is the
// way there and back and the waking of two threads, without Go's poller.
func blocking(f *os.File) int {
	fd := int(f.Fd())
	unix.SetNonblock(fd, false) // cannot fail: the descriptor is open
	return fd
}

// receive fills the message.
func receive(fd int, message []byte) error {
	for got := 0; got < len(message); {
		n, err := unix.Read(fd, message[got:])
		if err == unix.EINTR {
			continue
		}
		if err == nil && n == 0 {
			err = net.ErrClosed
		}
		if err != nil {
			return err
		}
		got += n
	}
	return nil
}
