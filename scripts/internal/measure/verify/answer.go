package verify

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
)

// An Answer is a response whose body is read in pieces.
type Answer struct {
	Client *Client
	Status int
	Header map[string]string // names in lower case
	Body   []byte            // decoded so far
	Ended  bool              // the body ended as HTTP requires
}

// Head reads a response up to its body.
func (c *Client) Head() (*Answer, error) {
	text, err := c.Until("\r\n\r\n")
	if err != nil {
		return nil, fmt.Errorf("no response header: %w", Readable(err))
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
	a := &Answer{Client: c, Header: map[string]string{}}
	if a.Status, err = strconv.Atoi(fields[1]); err != nil {
		return nil, fmt.Errorf("no HTTP/1.1 status line but %q", lines[0])
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		a.Header[strings.ToLower(name)] = strings.TrimSpace(value)
	}
	return a, nil
}

// MaxPart limits the bytes that a server may announce at once.
const MaxPart = 128 << 20

// More reads one chunk of the body, or the available bytes of a body without chunks. It returns io.EOF at the
// end.
func (a *Answer) More() error {
	if a.Ended {
		return io.EOF
	}
	if length, ok := a.Header["content-length"]; ok {
		n, err := strconv.ParseUint(length, 10, 32)
		if err != nil || n > MaxPart {
			return fmt.Errorf("Content-Length %q", length)
		}
		text, err := a.Client.Take(int(n))
		if err != nil {
			return err
		}
		a.Body, a.Ended = []byte(text), true
		return nil
	}
	if !strings.EqualFold(a.Header["transfer-encoding"], "chunked") {
		return errors.New("neither Transfer-Encoding: chunked nor Content-Length")
	}
	line, err := a.Client.Until("\r\n")
	if err != nil {
		return err
	}
	size, err := strconv.ParseUint(strings.TrimSpace(strings.SplitN(line, ";", 2)[0]), 16, 32)
	if err != nil || size > MaxPart {
		return fmt.Errorf("chunk size %q", line)
	}
	text, err := a.Client.Take(int(size) + 2)
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

// Rest reads the body to its end. A truncated body is an error.
func (a *Answer) Rest() error {
	for {
		if err := a.More(); err == io.EOF && a.Ended {
			return nil
		} else if err == io.EOF {
			return io.ErrUnexpectedEOF
		} else if err != nil {
			return err
		}
	}
}

// Readable replaces errors of the network with plain words, for the evidence of a check.
func Readable(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return ErrClosed
	}
	return err
}

// ErrClosed is the end of a connection, in any way.
var ErrClosed = errors.New("the connection was closed")
