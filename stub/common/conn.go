package common

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// A Conn is one connection. One goroutine reads requests, and another answers them. During an
// answer the reader waits for the next request, so it notices when the client leaves.
type Conn struct {
	net.Conn
	Server   *Server
	number   int64 // from 1
	requests chan *Request
	gone     chan struct{} // closed when the client has left
	left     atomic.Bool   // the same, cheaper to read
}

// NewConn makes a connection of a server, which does not read from it yet.
func NewConn(nc net.Conn, s *Server) *Conn {
	return &Conn{Conn: nc, Server: s, number: s.Stats.Connections.Add(1), requests: make(chan *Request), gone: make(chan struct{})}
}

// Serve answers requests until the connection ends.
func (c *Conn) Serve() {
	var reading sync.WaitGroup
	reading.Go(c.read)
	c.answer()
	reading.Wait()
}

func (c *Conn) read() {
	defer c.Server.Stats.Open.Add(-1)
	defer c.Close() // also ends a blocked write
	defer close(c.requests)
	defer close(c.gone)
	defer c.left.Store(true)
	for in := newRequests(c); ; {
		r, err := in.next()
		if err != nil {
			return
		}
		c.requests <- r
	}
}

func (c *Conn) answer() {
	for r := range c.requests {
		if !c.Server.route(c, r) || r.Close {
			c.Close() // the reader then ends
			break
		}
	}
	for range c.requests {
		// The reader may hold one more request, but no answer could reach the client.
	}
}

// Left reports whether the client has left.
func (c *Conn) Left() bool { return c.left.Load() }

// UntilGone waits until the client has left.
func (c *Conn) UntilGone() { <-c.gone }

// Reply sends a whole JSON answer.
func (c *Conn) Reply(status int, v any) bool {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // all callers pass plain data, which always encodes
	}
	_, err = fmt.Fprintf(c, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		status, http.StatusText(status), len(body), body)
	return err == nil
}

// Fail sends an error in the form of the OpenAI API, where all four keys are required.
func (c *Conn) Fail(status int, message string) bool {
	kind := "invalid_request_error"
	if status >= 500 {
		kind = "server_error"
	}
	return c.Reply(status, map[string]any{"error": map[string]any{
		"message": message, "type": kind, "param": nil, "code": nil,
	}})
}
