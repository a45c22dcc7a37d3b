package process

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FreePort finds a TCP port on 127.0.0.1 that nothing listens on. It looks
// below the range from which Linux takes the ports of outgoing connections, so
// that no connection can take the port before its server does.
func FreePort() (int, error) {
	for range 1000 {
		port := 10000 + rand.IntN(32768-10000)
		ln, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return port, ln.Close()
		}
	}
	return 0, errors.New("no free port between 10000 and 32767 on 127.0.0.1 after 1000 tries")
}

// WaitReady waits until GET path on the port is answered with 200, by this
// process or one of its group and by no other: whoever else holds the port
// would otherwise be measured in its place.
func (p *Process) WaitReady(ctx context.Context, port int, path string, limit time.Duration) error {
	client := &http.Client{Timeout: limit, Transport: &http.Transport{DisableKeepAlives: true}}
	url := fmt.Sprintf("http://127.0.0.1:%d%s", port, path)
	deadline := time.After(limit)
	seen := "no connection"
	for {
		req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
		if err != nil {
			return err
		}
		if resp, err := client.Do(req); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return p.owns(port)
			}
			seen = resp.Status
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.done:
			return fmt.Errorf("%w\n    it was told to listen on port %d and to answer GET %s", p.Gone(), port, path)
		case <-deadline:
			return fmt.Errorf("not ready after %v: GET %s: %s; want 200 from a server on 127.0.0.1:$PORT", limit, url, seen)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// owns reports an error unless the process or one of its group listens on the port.
func (p *Process) owns(port int) error {
	inode, err := listener(port)
	if err != nil {
		return err
	}
	for _, pid := range Group(p.Pid) {
		fds, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, fd := range fds {
			if target, _ := os.Readlink(fd); target == "socket:["+inode+"]" {
				return nil
			}
		}
	}
	return fmt.Errorf("port %d is taken: a process that is not of the group of %s listens on it; end that process or run again, with other ports (a server stays in the group it is started in)", port, p.args[0])
}

// answers are the addresses, as in /proc/net/tcp and tcp6, on which a listener
// gets the connections to 127.0.0.1: itself, all of IPv4, all of IPv6, and
// itself mapped to IPv6. Another address of ours may have the same port.
var answers = []string{"0100007F", "00000000", strings.Repeat("0", 32), "0000000000000000FFFF00000100007F"}

// listener is the inode of the socket that listens on a port of 127.0.0.1 or
// of all addresses, from /proc/net/tcp and tcp6 (proc(5): state 0A is LISTEN).
func listener(port int) (string, error) {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		data, err := os.ReadFile(table)
		if err != nil {
			continue // no IPv6
		}
		for line := range strings.Lines(string(data)) {
			f := strings.Fields(line)
			if len(f) < 10 || f[3] != "0A" {
				continue
			}
			if address, p, _ := strings.Cut(f[1], ":"); p == fmt.Sprintf("%04X", port) && slices.Contains(answers, address) {
				return f[9], nil
			}
		}
	}
	return "", fmt.Errorf("port %d: answered, but nothing listens on it any more", port)
}
