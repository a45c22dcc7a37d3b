package verify

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/process"
)

// A Client is one connection to a server. It uses a socket without an HTTP library, since a check must see
// each byte and when it arrived.
type Client struct {
	*net.TCPConn
	buf      []byte // read and not yet consumed
	server   *process.Process
	Patience time.Duration // time to wait for something that must come
	Most     int           // bytes that may still come
}

// mostBytes limits the bytes of a connection, to twice the longest answer. A check may ask for more. An
// endless answer must not fill our memory.
const mostBytes = 4 << 20

// Dial connects to a server; option may change the socket before it connects.
func Dial(port int, option ...func(fd int) error) (*Client, error) {
	dialer := net.Dialer{Timeout: Patience, Control: func(_, _ string, socket syscall.RawConn) error {
		var failed []error
		err := socket.Control(func(fd uintptr) {
			for _, set := range option {
				failed = append(failed, set(int(fd)))
			}
		})
		return errors.Join(append(failed, err)...)
	}}
	c, err := dialer.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return nil, HarnessError{err}
	}
	if err != nil {
		return nil, err
	}
	return &Client{TCPConn: c.(*net.TCPConn), server: at(port), Patience: Patience, Most: mostBytes}, nil
}

// Send writes a request; header lines end in CRLF.
func (c *Client) Send(method, path, header, body string) error {
	_, err := fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", method, path, header, len(body), body)
	return err
}

// Wait begins one for the server of the connection.
func (c *Client) Wait() *Wait { return newWait(c.server, c.Patience) }

// fill reads more bytes. It fails when none come, or too many.
func (c *Client) fill() error {
	if c.Most < 0 {
		return errors.New("the answer never ends")
	}
	c.buf = slices.Grow(c.buf, 64<<10)
	wait := c.Wait()
	for {
		c.SetReadDeadline(time.Now().Add(tick)) // the read below fails as well
		n, err := c.Read(c.buf[len(c.buf):cap(c.buf)])
		c.buf, c.Most = c.buf[:len(c.buf)+n], c.Most-n
		if n > 0 {
			return nil
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
		if wait.Over() {
			return wait.Silence()
		}
	}
}

func IsSilence(err error) bool {
	_, ok := errors.AsType[Silence](err)
	return ok
}

// Drain discards bytes until none come for a moment.
func (c *Client) Drain() {
	for scratch, err := make([]byte, 64<<10), error(nil); err == nil && c.Most >= 0; {
		c.SetReadDeadline(time.Now().Add(100 * time.Millisecond)) // the read below fails as well
		var n int
		n, err = c.Read(scratch)
		c.Most -= n
	}
}

// maxLine limits a header, or the line before a chunk, in bytes.
const maxLine = 64 << 10

// Until consumes bytes up to and with the separator, which ends a line or a header.
func (c *Client) Until(separator string) (string, error) {
	for {
		if i := bytes.Index(c.buf, []byte(separator)); i >= 0 {
			text := string(c.buf[:i+len(separator)])
			c.buf = c.buf[i+len(separator):]
			return text, nil
		}
		if len(c.buf) > maxLine {
			return "", fmt.Errorf("%d bytes without %q", len(c.buf), separator)
		}
		if err := c.fill(); err != nil {
			return "", err
		}
	}
}

// Take consumes n bytes.
func (c *Client) Take(n int) (string, error) {
	for len(c.buf) < n {
		if err := c.fill(); err != nil {
			return "", err
		}
	}
	text := string(c.buf[:n])
	c.buf = c.buf[n:]
	return text, nil
}

// Arrived reports whether there are bytes to read.
func (c *Client) Arrived() (bool, error) {
	socket, err := c.SyscallConn()
	if err != nil {
		return false, err
	}
	var unread int
	var failed error
	err = socket.Control(func(fd uintptr) { unread, failed = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	if err == nil {
		err = failed
	}
	return unread+len(c.buf) > 0, err
}
