package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"fairstream/scripts/process"
)

// noDelay reads TCP_NODELAY from the server's own sockets while a stream is
// open. Nagle's algorithm shows in delays only now and then; the option is
// either set or not.
func noDelay(upstream bool) func(context.Context, *subject) error {
	return func(_ context.Context, s *subject) error {
		id := s.id()
		if err := s.release(id, 1); err != nil {
			return err
		}
		a, err := s.open("hello @hold=1 @id=" + id)
		if err != nil {
			return err
		}
		defer a.c.Close()
		seen := 0
		for _, pid := range process.Group(s.server.Pid) {
			err := eachSocket(pid, func(fd, local, peer int) error {
				if upstream && peer != s.stubPort || !upstream && local != s.port {
					return nil
				}
				seen++
				set, err := unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY)
				if err != nil {
					return harnessError{err}
				}
				if set == 0 {
					return fmt.Errorf("TCP_NODELAY is 0 on the socket from port %d to port %d; small writes then wait for acknowledgements", local, peer)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		if seen == 0 {
			return errors.New("no such connection among the server's sockets")
		}
		return nil
	}
}

// eachSocket calls do with a copy of each connected IPv4 or IPv6 socket of a process
// and its ports: pidfd_getfd(2), which a parent may use on its child.
func eachSocket(pid int, do func(fd, local, peer int) error) error {
	pidfd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return harnessError{fmt.Errorf("pidfd_open: %w", err)}
	}
	defer unix.Close(pidfd)
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, link := range links {
		if target, _ := os.Readlink(link); !strings.HasPrefix(target, "socket:") {
			continue
		}
		number, _ := strconv.Atoi(filepath.Base(link))
		fd, err := unix.PidfdGetfd(pidfd, number, 0)
		if err != nil {
			continue // closed meanwhile
		}
		local, _ := unix.Getsockname(fd)
		peer, err := unix.Getpeername(fd)
		if err == nil && port(local) != 0 {
			err = do(fd, port(local), port(peer))
		} else {
			err = nil // it listens, or is no internet socket
		}
		unix.Close(fd)
		if err != nil {
			return err
		}
	}
	return nil
}

func port(a unix.Sockaddr) int {
	switch a := a.(type) {
	case *unix.SockaddrInet4:
		return a.Port
	case *unix.SockaddrInet6:
		return a.Port
	}
	return 0
}
