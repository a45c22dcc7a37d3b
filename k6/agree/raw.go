package main

import (
	"bytes"
	"fmt"
	"net/netip"
	"syscall"
	"time"
	"unsafe"
)

// A socket is a blocking TCP connection outside Go's poller, so that a recv returns as soon as the
// kernel wakes the thread.
type socket int

// patience is the time that a recv waits before the stream fails.
const patience = 30 * time.Second

func dial(to netip.AddrPort) (socket, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, fmt.Errorf("socket: %w", err)
	}
	wait := syscall.NsecToTimeval(int64(patience))
	if err := syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &wait); err != nil {
		_ = syscall.Close(fd) // frees the descriptor
		return 0, fmt.Errorf("SO_RCVTIMEO: %w", err)
	}
	if err := syscall.Connect(fd, &syscall.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}); err != nil {
		_ = syscall.Close(fd) // as above
		return 0, fmt.Errorf("connect to %v: %w", to, err)
	}
	return socket(fd), nil
}

// A piece is the result of one recv: the time of its return, and its end within the answer.
type piece struct {
	at  time.Time // of both clocks
	end int
}

// A received is a complete answer, from header to last chunk.
type received struct {
	started time.Time // just before the first byte of the request
	text    []byte
	pieces  []piece
}

// ask sends a request and receives the answer without parsing it. It reuses r, so nothing is
// allocated meanwhile.
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
		n, errno := s.receive(r.text[len(r.text):cap(r.text)])
		at := time.Now()
		if errno == syscall.EINTR {
			continue
		}
		if errno != 0 || n == 0 {
			return fmt.Errorf("recv after %d bytes: %d bytes: %w", len(r.text), n, errno)
		}
		r.text = r.text[:len(r.text)+n]
		r.pieces = append(r.pieces, piece{at, len(r.text)})
	}
	return nil
}

// receive is recv(2). Go's scheduler does not know that the thread waits. If it knew, the thread would
// wait for a processor after the kernel woke it, which takes 10 us on a busy machine.
func (s socket) receive(p []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, uintptr(s), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), 0, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

func (s socket) close() { _ = syscall.Close(int(s)) } // frees the descriptor
