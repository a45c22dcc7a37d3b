package verify

import (
	"context"
	"errors"
	"fmt"
	"net"
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
		c, _, err := s.begin("@hold=1", 0)
		if err != nil {
			return err
		}
		defer c.Close()
		fd, err := s.socket(c, upstream)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		set, err := unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY)
		if err != nil {
			return harnessError{err}
		}
		if set == 0 {
			return errors.New("TCP_NODELAY is 0 on the server's socket; small writes then wait for acknowledgements")
		}
		return nil
	}
}

// socket is a copy of the server's socket to a client, or of its only one to
// the stub.
func (s *subject) socket(c *client, upstream bool) (int, error) {
	var found []int
	for _, pid := range process.Group(s.server.Pid) {
		err := eachSocket(pid, func(local, peer int) bool {
			if upstream {
				return peer == s.stubPort
			}
			return local == s.port && peer == c.LocalAddr().(*net.TCPAddr).Port
		}, &found)
		if err != nil {
			return 0, err
		}
	}
	if len(found) != 1 {
		for _, fd := range found {
			unix.Close(fd)
		}
		return 0, fmt.Errorf("%d such connections among the server's sockets; want 1", len(found))
	}
	return found[0], nil
}

// eachSocket adds copies of those connected sockets of a process that are
// wanted: pidfd_getfd(2), which a parent may use on its child.
func eachSocket(pid int, wanted func(local, peer int) bool, found *[]int) error {
	pidfd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return harnessError{fmt.Errorf("pidfd_open: %w", err)}
	}
	defer unix.Close(pidfd)
	links, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		return harnessError{err}
	}
	for _, link := range links {
		if target, err := os.Readlink(link); err != nil || !strings.HasPrefix(target, "socket:") {
			continue // closed meanwhile, or a file
		}
		number, err := strconv.Atoi(filepath.Base(link))
		if err != nil {
			return harnessError{err}
		}
		fd, err := unix.PidfdGetfd(pidfd, number, 0)
		if errors.Is(err, unix.EBADF) {
			continue // closed meanwhile
		} else if err != nil {
			return harnessError{fmt.Errorf("pidfd_getfd: %w", err)}
		}
		local, _ := unix.Getsockname(fd)
		peer, err := unix.Getpeername(fd)
		if err == nil && port(local) != 0 && wanted(port(local), port(peer)) {
			*found = append(*found, fd)
		} else {
			unix.Close(fd) // it listens, is no internet socket, or another's
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
