package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"
)

// A Client sends exchanges to a server, one at a time, over a connection that it keeps.
type Client struct {
	base      string
	timeout   time.Duration
	transport *http.Transport
	dialer    net.Dialer
	open      net.Conn // a connection without a request yet
	dialled   int      // connections so far
}

// NewClient makes a client of the server on a port of 127.0.0.1.
func NewClient(port int, timeout time.Duration) *Client {
	c := &Client{base: fmt.Sprintf("http://127.0.0.1:%d", port), timeout: timeout, dialer: net.Dialer{Timeout: timeout}}
	c.transport = &http.Transport{
		DisableCompression: true, MaxIdleConnsPerHost: 1, // k6 does not decompress either
		DialContext: func(ctx context.Context, network, address string) (conn net.Conn, err error) {
			if conn, c.open = c.open, nil; conn == nil {
				conn, err = c.dialer.DialContext(ctx, network, address)
			}
			return conn, err
		},
	}
	return c
}

// Dial opens the connection before its first request.
func (c *Client) Dial(ctx context.Context) (err error) {
	c.open, err = c.dialer.DialContext(ctx, "tcp", strings.TrimPrefix(c.base, "http://"))
	return err
}

// Close ends the connection.
func (c *Client) Close() {
	if c.open != nil {
		c.open.Close() // nothing was sent
	}
	c.transport.CloseIdleConnections()
}

// Dialled is the number of connections that were opened.
func (c *Client) Dialled() int { return c.dialled }

// mostBytes limits a body, because k6 and the stub keep it in memory.
const mostBytes = 8 << 20

// Send sends a request and reads its answer.
func (c *Client) Send(ctx context.Context, e Exchange) (got Recorded, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		if !i.Reused {
			c.dialled++
		}
	}})
	var body io.Reader
	if e.Body != "" {
		body = strings.NewReader(e.Body)
	}
	req, err := http.NewRequestWithContext(ctx, e.Method, c.base+e.Path, body)
	if err != nil {
		return got, err
	}
	for name, value := range e.Headers {
		req.Header[name] = []string{value} // as it is written
	}
	resp, err := c.transport.RoundTrip(req) // no redirect is followed
	if err == nil {
		defer resp.Body.Close()
		got.Status, got.Headers = resp.StatusCode, map[string]string{}
		for name, values := range resp.Header {
			got.Headers[strings.ToLower(name)] = values[len(values)-1]
		}
		if resp.ContentLength >= 0 && e.Method != "HEAD" {
			got.Headers["content-length"] = fmt.Sprint(resp.ContentLength)
		}
		got.Body, err = io.ReadAll(io.LimitReader(resp.Body, mostBytes+1))
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return got, fmt.Errorf("no complete answer within %v", c.timeout)
	case err != nil:
		return got, err
	case len(got.Body) > mostBytes:
		return got, fmt.Errorf("the body has more than %d MiB, and k6 keeps every body in memory; request a smaller one", mostBytes>>20)
	}
	return got, nil
}

// Ask sends a request, and returns the answer if it is the expected one. The error names the request.
func (c *Client) Ask(ctx context.Context, e Exchange) (Recorded, error) {
	got, err := c.Send(ctx, e)
	if err == nil {
		if text := e.Differs(got); text != "" {
			err = errors.New(text)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", e.title(), err)
	}
	return got, err
}

// title names an exchange with its values.
func (e Exchange) title() string {
	line := e.Method + " " + e.Path
	if e.Name == line {
		return line
	}
	return fmt.Sprintf("%s (%s)", e.Name, line)
}
