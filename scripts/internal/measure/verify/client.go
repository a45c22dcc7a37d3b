package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// patience is the time that a check waits for something that must come. The time itself proves nothing: a
// check fails only when nothing comes.
const patience = 10 * time.Second

// tick is the most that a machine standing still takes from patience at once.
const tick = 100 * time.Millisecond

// A client is one connection to a server. It uses a socket without an HTTP library, since a check must see
// each byte and when it arrived.
type client struct {
	*net.TCPConn
	buf      []byte        // read and not yet consumed
	patience time.Duration // time to wait for something that must come
	most     int           // bytes that may still come
}

// mostBytes limits the bytes of a connection, to twice the longest answer. A check may ask for more. An
// endless answer must not fill our memory.
const mostBytes = 4 << 20

// dial connects to a server; option may change the socket before it connects.
func dial(port int, option ...func(fd int) error) (*client, error) {
	dialer := net.Dialer{Timeout: patience, Control: func(_, _ string, socket syscall.RawConn) error {
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
		return nil, harnessError{err}
	}
	if err != nil {
		return nil, err
	}
	return &client{TCPConn: c.(*net.TCPConn), patience: patience, most: mostBytes}, nil
}

// send writes a request; header lines end in CRLF.
func (c *client) send(method, path, header, body string) error {
	_, err := fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", method, path, header, len(body), body)
	return err
}

// chat sends POST /chat with a message.
func (c *client) chat(message string) error {
	body, err := json.Marshal(map[string]string{"message": message})
	if err != nil {
		return err
	}
	return c.send("POST", "/chat", "Content-Type: application/json\r\n", string(body))
}

// fill reads more bytes. It fails when none come, or too many.
func (c *client) fill() error {
	if c.most < 0 {
		return errors.New("the answer never ends")
	}
	c.buf = slices.Grow(c.buf, 64<<10)
	for waited := time.Duration(0); waited < c.patience; waited += tick {
		c.SetReadDeadline(time.Now().Add(tick)) // the read below fails as well
		n, err := c.Read(c.buf[len(c.buf):cap(c.buf)])
		c.buf, c.most = c.buf[:len(c.buf)+n], c.most-n
		if n > 0 {
			return nil
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
	}
	return silence(c.patience)
}

// A silence is the error of a wait without any byte.
type silence time.Duration

func (s silence) Error() string { return fmt.Sprintf("nothing within %v", time.Duration(s)) }

func isSilence(err error) bool {
	_, ok := errors.AsType[silence](err)
	return ok
}

// drain discards bytes until none come for a moment.
func (c *client) drain() {
	for scratch, err := make([]byte, 64<<10), error(nil); err == nil && c.most >= 0; {
		c.SetReadDeadline(time.Now().Add(100 * time.Millisecond)) // the read below fails as well
		var n int
		n, err = c.Read(scratch)
		c.most -= n
	}
}

// maxLine limits a header, or the line before a chunk, in bytes.
const maxLine = 64 << 10

// until consumes bytes up to and with the separator, which ends a line or a header.
func (c *client) until(separator string) (string, error) {
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

// take consumes n bytes.
func (c *client) take(n int) (string, error) {
	for len(c.buf) < n {
		if err := c.fill(); err != nil {
			return "", err
		}
	}
	text := string(c.buf[:n])
	c.buf = c.buf[n:]
	return text, nil
}

// An answer is a response whose body is read in pieces.
type answer struct {
	c       *client
	Status  int
	Header  map[string]string // names in lower case
	Body    []byte            // decoded so far
	Ended   bool              // the body ended as HTTP requires
	scanned int               // bytes of Body that next has passed
}

// seen counts the events that have arrived.
func (a *answer) seen() int { return bytes.Count(a.Body, []byte("\n\n")) }

// head reads a response up to its body.
func (c *client) head() (*answer, error) {
	text, err := c.until("\r\n\r\n")
	if err != nil {
		return nil, fmt.Errorf("no response header: %w", readable(err))
	}
	lines := strings.Split(strings.TrimSuffix(text, "\r\n\r\n"), "\r\n")
	for _, line := range lines {
		if strings.ContainsAny(line, "\r\n") { // clients disagree where such a line ends
			return nil, fmt.Errorf("a line of the header with a bare CR or LF: %q", line)
		}
	}
	fields := strings.Fields(lines[0])
	if len(fields) < 2 || fields[0] != "HTTP/1.1" { // older versions have no chunks, which a stream needs
		return nil, fmt.Errorf("no HTTP/1.1 status line but %q", lines[0])
	}
	a := &answer{c: c, Header: map[string]string{}}
	if a.Status, err = strconv.Atoi(fields[1]); err != nil {
		return nil, fmt.Errorf("no HTTP/1.1 status line but %q", lines[0])
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		a.Header[strings.ToLower(name)] = strings.TrimSpace(value)
	}
	return a, nil
}

// maxPart limits the bytes that a server may announce at once.
const maxPart = 128 << 20

// more reads one chunk of the body, or the available bytes of a body without chunks. It returns io.EOF at the
// end.
func (a *answer) more() error {
	if a.Ended {
		return io.EOF
	}
	if length, ok := a.Header["content-length"]; ok {
		n, err := strconv.ParseUint(length, 10, 32)
		if err != nil || n > maxPart {
			return fmt.Errorf("Content-Length %q", length)
		}
		text, err := a.c.take(int(n))
		if err != nil {
			return err
		}
		a.Body, a.Ended = []byte(text), true
		return nil
	}
	if !strings.EqualFold(a.Header["transfer-encoding"], "chunked") {
		return errors.New("neither Transfer-Encoding: chunked nor Content-Length")
	}
	line, err := a.c.until("\r\n")
	if err != nil {
		return err
	}
	size, err := strconv.ParseUint(strings.TrimSpace(strings.SplitN(line, ";", 2)[0]), 16, 32)
	if err != nil || size > maxPart {
		return fmt.Errorf("chunk size %q", line)
	}
	text, err := a.c.take(int(size) + 2)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(text, "\r\n") {
		return fmt.Errorf("a chunk of %d bytes that does not end there", size)
	}
	a.Body = append(a.Body, text[:size]...)
	if size == 0 {
		a.Ended = true
		return io.EOF
	}
	return nil
}

// next reads up to the end of the next event.
func (a *answer) next() error {
	for from := a.scanned; ; {
		if i := bytes.Index(a.Body[from:], []byte("\n\n")); i >= 0 {
			a.scanned = from + i + 2
			return nil
		}
		from = max(from, len(a.Body)-1) // search only the new part
		if err := a.more(); err != nil {
			return err
		}
	}
}

// rest reads the body to its end. A truncated body is an error.
func (a *answer) rest() error {
	for {
		if err := a.more(); err == io.EOF && a.Ended {
			return nil
		} else if err == io.EOF {
			return io.ErrUnexpectedEOF
		} else if err != nil {
			return err
		}
	}
}

// finish reads an answer to its end. It must be a stream.
func (c *client) finish() (*answer, error) {
	a, err := c.stream()
	if err == nil {
		err = a.rest()
	}
	return a, readable(err)
}

// readable replaces errors of the network with plain words, for the evidence of a check.
func readable(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the connection was closed")
	}
	return err
}
