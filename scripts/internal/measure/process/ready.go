package process

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/files"
)

// Ports come from below Linux's range for outgoing connections. So no connection can take a port before its
// server does.
const firstPort, ports = 10000, 22768

// drawn counts the tried ports. None repeats before all were tried.
var drawn atomic.Int64

func init() { drawn.Store(rand.Int64N(ports)) }

// FreePort finds a TCP port on 127.0.0.1 where nothing listens. No other caller of our user got it lately. The kernel remembers no connection of it either, since some servers cannot listen on such a port.
func FreePort() (int, error) { return findPort(listen) }

// findPort claims a port before it tries it, since a try would take the port from a server that is about to
// listen.
func findPort(try func(port int) error) (int, error) {
	for range ports {
		port := firstPort + int(drawn.Add(1)%ports)
		if claim(port) && try(port) == nil {
			return port, nil
		}
	}
	return 0, Unable{Err: fmt.Errorf("no free port from %d to %d on 127.0.0.1", firstPort, firstPort+ports-1)}
}

// listen returns an error for a port that is in use. No program starts meanwhile, since it would inherit the
// socket for a moment, and keep the port.
func listen(port int) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	strict := net.ListenConfig{Control: func(_, _ string, socket syscall.RawConn) error {
		var failed error
		err := socket.Control(func(fd uintptr) { failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 0) })
		return cmp.Or(err, failed)
	}}
	ln, err := strict.Listen(context.Background(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return ln.Close()
}

// Late is the error of a living program that was not ready in time.
type Late struct{ error }

// probeEvery is the pause between two tries of WaitReady. It bounds the precision of FirstAnswer.
const probeEvery = time.Millisecond

// FirstAnswer is the time from the start of the program to the answer that made WaitReady return nil.
func (p *Process) FirstAnswer() time.Duration { return p.firstAnswer }

// A Probe is a GET and the status of its answer, once a program is ready. Without a path, the program is ready once it listens.
type Probe struct {
	Host    string // IPv4 address of this machine; "" is 127.0.0.1
	TLS     bool   // with any certificate
	Path    string
	Headers map[string]string
	Status  int
}

// WaitReady waits until GET path on the port is answered with 200.
func (p *Process) WaitReady(ctx context.Context, port int, path string, limit time.Duration) error {
	return p.WaitAnswer(ctx, port, Probe{Path: path, Status: http.StatusOK}, limit)
}

// WaitAnswer waits until a probe on the port is answered as it should be. The answer must come from this process
// or its group, since another program on the port would be measured instead. Time in which the program waits for
// a core does not count for the limit, since other programs on the machine take it.
func (p *Process) WaitAnswer(ctx context.Context, port int, probe Probe, limit time.Duration) error {
	client := &http.Client{
		Timeout: limit, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	probe.Host = cmp.Or(probe.Host, local)
	path := probe.Path
	began, deadline := time.Now(), time.NewTimer(limit)
	defer deadline.Stop()
	seen := "no connection"
	for {
		switch answered, answer := probe.ask(ctx, client, port); {
		case path == "" && p.owns(probe.Host, port) == nil:
			p.firstAnswer = time.Since(p.started)
			return nil
		case answered:
			p.firstAnswer = time.Since(p.started)
			return p.ready(probe.Host, port, path)
		case answer != "":
			seen = answer
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.done:
			return p.goneFrom(port, path)
		case <-deadline.C:
			select {
			case <-p.done: // both happened while the machine stood still
				return p.goneFrom(port, path)
			default:
			}
			if left := limit - time.Since(began) + p.waited(); left > 0 {
				deadline.Reset(left)
				continue
			}
			if path == "" {
				return Late{fmt.Errorf("not ready after %v: it does not listen on %s:$PORT (%d)%s%s", limit, probe.Host, port, p.elsewhere(probe.Host, port), p.said())}
			}
			return Late{fmt.Errorf("not ready after %v: GET %s: %s%s; want %d from a server on %s:$PORT%s", limit, probe.url(port), seen, p.elsewhere(probe.Host, port), probe.Status, probe.Host, p.said())}
		case <-time.After(probeEvery):
		}
	}
}

func (b Probe) url(port int) string {
	scheme := "http"
	if b.TLS {
		scheme = "https"
	}
	return fmt.Sprintf("%s://%s:%d%s", scheme, b.Host, port, b.Path)
}

// mostQuoted limits the body of an answer in an error.
const mostQuoted = 80

// ask sends the probe. answered says that the answer is the expected one. Otherwise answer is its status and the begin of its body;
// "" without an answer.
func (b Probe) ask(ctx context.Context, client *http.Client, port int) (answered bool, answer string) {
	if b.Path == "" {
		return false, ""
	}
	req, err := http.NewRequestWithContext(ctx, "GET", b.url(port), nil)
	if err != nil {
		return false, err.Error()
	}
	for name, value := range b.Headers {
		req.Header.Set(name, value)
	}
	resp, err := client.Do(req)
	if err != nil {
		return false, ""
	}
	defer resp.Body.Close()
	if resp.StatusCode == b.Status {
		return true, ""
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, mostQuoted)) // the answer may explain the status
	if len(body) == 0 {
		return false, resp.Status
	}
	return false, fmt.Sprintf("%s %q", resp.Status, body)
}

// said quotes what a living program printed last; "" if it printed nothing.
func (p *Process) said() string {
	lines, err := files.QuoteLog(p.log, 0, 3)
	if err != nil || len(lines) == 0 {
		return ""
	}
	return "; its log says:\n    " + strings.Join(lines, "\n    ")
}

// goneFrom is the error of a program that ended instead of listening on a port.
func (p *Process) goneFrom(port int, path string) error {
	stay := ""
	if p.ExitStatus() == 0 {
		stay = ", and stay in the foreground"
	}
	return fmt.Errorf("%w\n    it must listen on port %d and answer GET %s%s", p.Gone(), port, path, stay)
}

// ready checks which program answered. A program may end right after its answer. Its end is known a moment
// later than the end of its sockets. It then gets the error of its end, unless another program listens.
func (p *Process) ready(host string, port int, path string) error {
	err := p.owns(host, port)
	if err == nil {
		return nil
	}
	select {
	case <-p.done:
		if _, none := listener(host, port); none == nil {
			return err
		}
		return p.goneFrom(port, path)
	case <-time.After(200 * time.Millisecond):
		return err
	}
}

// owns returns an error unless the process or one of its group listens on the port.
func (p *Process) owns(host string, port int) error {
	inode, err := listener(host, port)
	if err != nil {
		return err
	}
	// Nearly always the program itself listens, so its group is searched only otherwise.
	if holds(p.Pid, inode) || slices.ContainsFunc(Group(p.Pid), func(pid int) bool { return holds(pid, inode) }) {
		return nil
	}
	return fmt.Errorf("port %d is taken: a process outside the process group of %s listens on it; end that process, or run again with other ports (a server must stay in its process group)", port, p.args[0])
}

// holds reports whether a process has the socket open.
func holds(pid int, inode string) bool {
	fds, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // the pattern is valid
	return slices.ContainsFunc(fds, func(fd string) bool {
		target, _ := os.Readlink(fd) // an error means that it was closed meanwhile
		return target == "socket:["+inode+"]"
	})
}

// local is where servers listen, unless k6 is on another machine.
const local = "127.0.0.1"

// receivers lists the local addresses that receive connections to an IPv4 address, as /proc/net/tcp and tcp6 write them: the address
// itself, any IPv4, any IPv6, and the IPv6 form of the address. Another address may use the same port.
func receivers(host string) []string {
	a := netip.MustParseAddr(host).As4() // of a file that was checked
	own := fmt.Sprintf("%02X%02X%02X%02X", a[3], a[2], a[1], a[0])
	return []string{own, "00000000", strings.Repeat("0", 32), "0000000000000000FFFF0000" + own}
}

// elsewhere says where a program listens that does not listen on a port; "" if it listens nowhere, or nobody can tell.
func (p *Process) elsewhere(host string, port int) string {
	var on []string
	ours := receivers(host)
	group := Group(p.Pid)
	_ = eachListener(func(address, inode string) bool { // it only explains another error
		if slices.ContainsFunc(group, func(pid int) bool { return holds(pid, inode) }) {
			of, hex, _ := strings.Cut(address, ":")
			at, err := strconv.ParseInt(hex, 16, 32)
			if err == nil && (int(at) != port || !slices.Contains(ours, of)) {
				on = append(on, strconv.FormatInt(at, 10))
			}
		}
		return true
	})
	if len(on) == 0 {
		return ""
	}
	slices.Sort(on)
	on = slices.Compact(on)
	if slices.Equal(on, []string{strconv.Itoa(port)}) {
		return ", since it listens on another address"
	}
	return fmt.Sprintf(", since it listens on port %s and not on $PORT (%d)", strings.Join(on, ", "), port)
}

// listener returns the inode of the socket that listens on a port of an address or of all addresses.
func listener(host string, port int) (inode string, err error) {
	ours := receivers(host)
	err = eachListener(func(address, socket string) bool {
		of, p, _ := strings.Cut(address, ":")
		if p == fmt.Sprintf("%04X", port) && slices.Contains(ours, of) {
			inode = socket
		}
		return inode == ""
	})
	if err == nil && inode == "" {
		err = fmt.Errorf("port %d answered, but nothing listens on it any more", port)
	}
	return inode, err
}

// eachListener calls see with the address and the inode of each listening socket, until it returns false. It reads
// /proc/net/tcp and tcp6 (proc(5): state 0A is LISTEN). Listening sockets come first, so it skips the rest,
// which may be tens of thousands.
func eachListener(see func(address, inode string) bool) error {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if errors.Is(err, fs.ErrNotExist) {
			continue // without IPv6
		} else if err != nil {
			return Unable{err}
		}
		lines := bufio.NewScanner(f)
		lines.Scan() // the head of the table
		for lines.Scan() {
			fields := strings.Fields(lines.Text())
			if len(fields) < 10 || fields[3] != "0A" {
				break
			}
			if !see(fields[1], fields[9]) {
				f.Close() // read only
				return nil
			}
		}
		f.Close() // read only
		if err := lines.Err(); err != nil {
			return Unable{fmt.Errorf("%s: %w", table, err)}
		}
	}
	return nil
}
