package moduletest

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

// A Server answers each request on a raw connection with the bytes that a
// function writes. It counts.
type Server struct {
	URL                   string
	Connections, Requests atomic.Int64
	Received, Sent        atomic.Int64 // bytes
}

// Serve starts a server. answer returns false to close the connection.
func Serve(t testing.TB, answer func(w net.Conn, request int64) bool) *Server {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{URL: "http://" + ln.Addr().String() + "/chat"}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			s.Connections.Add(1)
			all.Go(func() { s.talk(c, answer) })
		}
	})
	t.Cleanup(func() { ln.Close() })
	return s
}

func (s *Server) talk(c net.Conn, answer func(net.Conn, int64) bool) {
	defer c.Close()
	counted := &counting{c, s}
	r := bufio.NewReader(counted)
	for {
		request, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, request.Body) // a truncated request does not count
		if !answer(counted, s.Requests.Add(1)) {
			return
		}
	}
}

type counting struct {
	net.Conn
	s *Server
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.s.Received.Add(int64(n))
	return n, err
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.s.Sent.Add(int64(n))
	return n, err
}

// ServeText answers every request with the same bytes, then keeps the connection or ends it.
func ServeText(t testing.TB, text string, keep bool) *Server {
	return Serve(t, func(w net.Conn, _ int64) bool { Write(w, text); return keep })
}

// Write writes to a client, which may have left.
func Write(w net.Conn, text string) { _, _ = w.Write([]byte(text)) }

// CloseWrite ends the server's side of a connection.
func CloseWrite(w net.Conn) {
	if c, ok := w.(*counting); ok {
		_ = c.Conn.(*net.TCPConn).CloseWrite() // the client may have left
	}
}
