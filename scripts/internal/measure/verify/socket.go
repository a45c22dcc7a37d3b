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
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/process"
)

// noDelay reads TCP_NODELAY from the server's own sockets while a stream is open. Delays by Nagle's algorithm
// show only now and then, but the option is certain.
func noDelay(upstream bool) func(context.Context, *subject) error {
	return func(_ context.Context, s *subject) error {
		c, _, err := s.begin("@hold=1", 0)
		if err != nil {
			return err
		}
		defer c.Close()
		for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
			set, err := s.noDelaySet(c, upstream)
			if err != nil || set {
				return err
			}
			if time.Now().After(deadline) {
				return errors.New("TCP_NODELAY is 0 on the server's socket; small writes then wait for acknowledgements")
			}
		}
	}
}

// noDelaySet reports whether TCP_NODELAY is set on the server's socket to a client, or on all its sockets to
// the stub.
func (s *subject) noDelaySet(c *client, upstream bool) (bool, error) {
	found, err := s.sockets(s.toward(c, upstream))
	defer closeAll(found)
	if err == nil && len(found) == 0 {
		err = errors.New("the server has no such connection among its sockets")
	}
	if err != nil {
		return false, err
	}
	for _, fd := range found {
		set, err := unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY)
		if err != nil {
			return false, harnessError{err}
		}
		if set == 0 {
			return false, nil
		}
	}
	return true, nil
}

// toward selects the server's socket to a client, or its sockets to the stub.
func (s *subject) toward(c *client, upstream bool) func(local, peer int) bool {
	return func(local, peer int) bool {
		if upstream {
			return peer == s.stubPort
		}
		return local == s.port && peer == c.LocalAddr().(*net.TCPAddr).Port
	}
}

// sockets copies the server's connected sockets that match; the caller closes them.
func (s *subject) sockets(wanted func(local, peer int) bool) (found []int, err error) {
	for _, pid := range process.Group(s.server.Pid) {
		if err := eachSocket(pid, wanted, &found); err != nil {
			return found, err
		}
	}
	return found, nil
}

func closeAll(fds []int) {
	for _, fd := range fds {
		unix.Close(fd) // frees the descriptor
	}
}

// eachSocket copies the matching sockets of a process with pidfd_getfd(2), which a parent may use on its
// child.
func eachSocket(pid int, wanted func(local, peer int) bool, found *[]int) error {
	pidfd, err := unix.PidfdOpen(pid, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil // it has ended meanwhile
	} else if err != nil {
		return harnessError{fmt.Errorf("pidfd_open: %w", err)}
	}
	defer unix.Close(pidfd) // frees the descriptor
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
		if errors.Is(err, unix.EBADF) || errors.Is(err, unix.ESRCH) {
			continue // closed meanwhile
		} else if err != nil {
			return harnessError{fmt.Errorf("pidfd_getfd: %w; verify looks at the server's sockets, so it needs the right to trace its children; allow it (ptrace_scope, seccomp)", err)}
		}
		local, _ := unix.Getsockname(fd) // the port is then 0
		peer, err := unix.Getpeername(fd)
		if err == nil && port(local) != 0 && wanted(port(local), port(peer)) {
			*found = append(*found, fd)
		} else {
			unix.Close(fd) // a listener, another kind of socket, or another connection
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
