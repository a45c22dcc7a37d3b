package verify

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/process"
)

// NoDelay reports whether TCP_NODELAY is set on the server's socket to a client, or on all its sockets to
// the stub.
func (s *Subject) NoDelay(c *Client, upstream bool) (bool, error) {
	found, err := s.Sockets(s.Toward(c, upstream))
	defer CloseAll(found)
	if err == nil && len(found) == 0 {
		err = errors.New("the server has no such connection among its sockets")
	}
	if err != nil {
		return false, err
	}
	for _, fd := range found {
		set, err := unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY)
		if err != nil {
			return false, HarnessError{err}
		}
		if set == 0 {
			return false, nil
		}
	}
	return true, nil
}

// Toward selects the server's socket to a client, or its sockets to the stub.
func (s *Subject) Toward(c *Client, upstream bool) func(local, peer int) bool {
	return func(local, peer int) bool {
		if upstream {
			return peer == s.StubPort
		}
		return local == s.Port && peer == c.LocalAddr().(*net.TCPAddr).Port
	}
}

// Sockets copies the server's connected sockets that match; the caller closes them.
func (s *Subject) Sockets(wanted func(local, peer int) bool) (found []int, err error) {
	for _, pid := range process.Group(s.Server.Pid) {
		if err := eachSocket(pid, wanted, &found); err != nil {
			return found, err
		}
	}
	return found, nil
}

func CloseAll(fds []int) {
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
		return HarnessError{fmt.Errorf("pidfd_open: %w", err)}
	}
	defer unix.Close(pidfd) // frees the descriptor
	links, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		return HarnessError{err}
	}
	for _, link := range links {
		if target, err := os.Readlink(link); err != nil || !strings.HasPrefix(target, "socket:") {
			continue // closed meanwhile, or a file
		}
		number, err := strconv.Atoi(filepath.Base(link))
		if err != nil {
			return HarnessError{err}
		}
		fd, err := unix.PidfdGetfd(pidfd, number, 0)
		if errors.Is(err, unix.EBADF) || errors.Is(err, unix.ESRCH) {
			continue // closed meanwhile
		} else if err != nil {
			return HarnessError{fmt.Errorf("pidfd_getfd: %w; verify looks at the server's sockets, so it needs the right to trace its children; allow it (ptrace_scope, seccomp)", err)}
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
