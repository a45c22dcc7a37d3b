package http1

import (
	"fmt"
	"net"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An Address is where a client connects to.
type Address struct {
	family int
	sock   unix.Sockaddr
}

// Resolve returns the address of HOST:PORT. It looks a name up once, so a later change is not seen.
func Resolve(hostPort string) (Address, error) {
	tcp, err := net.ResolveTCPAddr("tcp", hostPort)
	if err != nil {
		return Address{}, err
	}
	a := tcp.AddrPort()
	if ip := a.Addr().Unmap(); ip.Is4() {
		return Address{unix.AF_INET, &unix.SockaddrInet4{Port: tcp.Port, Addr: ip.As4()}}, nil
	}
	return Address{unix.AF_INET6, &unix.SockaddrInet6{Port: tcp.Port, Addr: a.Addr().As16()}}, nil
}

// connect begins to connect a new socket. The socket is writable once it is connected.
func connect(a Address) (fd int, err error) {
	fd, err = unix.Socket(a.family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("socket: %w", err)
	}
	// A request is one write, but a large one must not wait for an acknowledgement either.
	err = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	if err == nil {
		err = unix.Connect(fd, a.sock)
	}
	if err != nil && err != unix.EINPROGRESS {
		_ = unix.Close(fd) // it cannot be used
		return -1, fmt.Errorf("connect: %w", err)
	}
	return fd, nil
}

// The calls below never block, so Go's scheduler is not involved.

// receive is recv(2). flags may be MSG_PEEK.
func receive(fd int, p []byte, flags uintptr) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)),
		syscall.MSG_DONTWAIT|flags, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// send is send(2).
func send(fd int, p []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)),
		syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// quiet reports whether an idle connection is still open and has no bytes.
func quiet(fd int) bool {
	var b [1]byte
	_, errno := receive(fd, b[:], syscall.MSG_PEEK)
	return errno == syscall.EAGAIN
}
