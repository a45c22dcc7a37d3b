package main

import (
	"bytes"
	"fmt"
	"net/netip"
	"syscall"
	"time"
)

// A socket is a TCP connection as the kernel has it: blocking, without Go's
// poller, so that a recv returns as soon as the kernel wakes the thread.
type socket int

// patience is how long a recv waits before the stream is given up.
const patience = 30 * time.Second

func dial(to netip.AddrPort) (socket, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, fmt.Errorf("socket: %w", err)
	}
	wait := syscall.NsecToTimeval(int64(patience))
	if err := syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &wait); err != nil {
		_ = syscall.Close(fd) // to be rid of it
		return 0, fmt.Errorf("SO_RCVTIMEO: %w", err)
	}
	if err := syscall.Connect(fd, &syscall.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}); err != nil {
		_ = syscall.Close(fd) // likewise
		return 0, fmt.Errorf("connect to %v: %w", to, err)
	}
	return socket(fd), nil
}

// A piece is what one recv brought: the time at which it returned, and where
// in the answer it ends.
type piece struct {
	at  time.Time // with both clocks
	end int
}

// A received is an answer as it came, from header to the last chunk.
type received struct {
	started time.Time // just before the first byte of the request is written
	text    []byte
	pieces  []piece
}

// ask sends a request and receives the answer, which it does not look into
// until it is whole: r is used again and again, so nothing is allocated then.
func (s socket) ask(request []byte, r *received) error {
	r.text, r.pieces = r.text[:0], r.pieces[:0]
	r.started = time.Now()
	n, err := syscall.Write(int(s), request)
	if err != nil || n < len(request) {
		return fmt.Errorf("send: %d of %d bytes: %w", n, len(request), err)
	}
	for !bytes.HasSuffix(r.text, []byte("\r\n0\r\n\r\n")) {
		if len(r.text) == cap(r.text) {
			r.text = append(r.text, make([]byte, 64<<10)...)[:len(r.text)]
		}
		n, err := syscall.Read(int(s), r.text[len(r.text):cap(r.text)])
		at := time.Now()
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return fmt.Errorf("recv after %d bytes: %d bytes: %w", len(r.text), n, err)
		}
		r.text = r.text[:len(r.text)+n]
		r.pieces = append(r.pieces, piece{at, len(r.text)})
	}
	return nil
}

func (s socket) close() { _ = syscall.Close(int(s)) } // to be rid of it
