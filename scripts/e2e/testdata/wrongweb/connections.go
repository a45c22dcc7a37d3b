package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// A listener counts connections and limits them.
type listener struct {
	net.Listener
	*server
	accepted atomic.Int64 // open connections
	busy     chan bool
	begin    sync.Once
}

func (l *listener) Accept() (net.Conn, error) {
	l.begin.Do(func() { l.busy = make(chan bool, max(1, l.workers)) })
	if l.workers > 0 {
		l.busy <- true
	}
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if n := l.accepted.Add(1); l.most > 0 && n > int64(l.most) {
			c.Close()
			l.accepted.Add(-1)
			continue
		}
		l.open.Add(1)
		return l.wrap(&counted{Conn: c, closed: func() {
			l.accepted.Add(-1)
			l.open.Done()
			if l.workers > 0 {
				<-l.busy
			}
		}}), nil
	}
}

type counted struct {
	net.Conn
	once   sync.Once
	closed func()
}

func (c *counted) Close() error {
	c.once.Do(c.closed)
	return c.Conn.Close()
}

// waitForAll waits until the clients have closed their connections.
func (s *server) waitForAll() error {
	s.open.Wait()
	return nil
}

// inTurn answers one request after the other, until the client has the answer.
func (s *server) inTurn(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != "POST" || r.URL.Path != "/json" {
		s.turn.Lock()
		s.turn.Unlock()
		return false
	}
	body, _ := io.ReadAll(r.Body) // a part of it is not JSON
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.turn.Lock()
	defer s.turn.Unlock()
	s.postJSON(w, r)
	return true
}

// An openConn is not closed when it should be.
type openConn struct{ net.Conn }

func (openConn) Close() error { return nil }

func stayOpen(c net.Conn) net.Conn { return openConn{c} }

func noReuse(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 0) })
}

// closeAfter100 closes connections after 100 requests of their client.
func closeAfter100() func(http.ResponseWriter, *http.Request) bool {
	var counts sync.Map
	return func(w http.ResponseWriter, r *http.Request) bool {
		n, _ := counts.LoadOrStore(r.RemoteAddr, new(atomic.Int64))
		if n.(*atomic.Int64).Add(1)%100 == 0 {
			w.Header().Set("Connection", "close")
		}
		return false
	}
}

// A firstOnly loses what comes behind a GET in the same packet.
type firstOnly struct{ net.Conn }

func dropPipelined(c net.Conn) net.Conn { return firstOnly{c} }

func (c firstOnly) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if end := bytes.Index(b[:n], []byte("\r\n\r\n")); bytes.HasPrefix(b[:n], []byte("GET ")) && end >= 0 {
		n = end + len("\r\n\r\n")
	}
	return n, err
}

// A wholeHead wants a whole header in its first packet.
type wholeHead struct {
	net.Conn
	read bool
}

func oneRead(c net.Conn) net.Conn { return &wholeHead{Conn: c} }

func (c *wholeHead) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 1 || !c.read { // net/http may read one byte to see the end of a connection
		if !c.read && !bytes.Contains(b[:n], []byte("\r\n\r\n")) {
			return 0, io.EOF
		}
		c.read = true
	}
	return n, err
}

// simpleHTTP knows no chunks, and reads a body only where it wants one.
func (s *server) simpleHTTP(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			for in := bufio.NewReader(c); s.simple(in, c); {
			}
		}()
	}
}

// simple answers one request.
func (s *server) simple(in *bufio.Reader, c net.Conn) bool {
	var head strings.Builder
	for !strings.HasSuffix(head.String(), "\r\n\r\n") {
		line, err := in.ReadString('\n')
		if err != nil {
			return false
		}
		head.WriteString(line)
	}
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(head.String())))
	if err != nil {
		return false
	}
	length := max(0, r.ContentLength)
	r.Body, r.TransferEncoding = http.NoBody, nil
	if r.Method == "POST" && r.URL.Path == "/json" {
		body, err := io.ReadAll(io.LimitReader(in, length))
		if err != nil {
			return false
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	answer := httptest.NewRecorder()
	s.http.Handler.ServeHTTP(answer, r)
	body := answer.Body.Bytes()
	fmt.Fprintf(c, "HTTP/1.1 %d x\r\nContent-Length: %d\r\n", answer.Code, len(body))
	answer.Header().Write(c)
	fmt.Fprint(c, "\r\n")
	if r.Method != "HEAD" {
		c.Write(body)
	}
	return !r.Close
}
