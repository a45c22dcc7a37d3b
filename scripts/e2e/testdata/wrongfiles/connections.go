package main

import (
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
)

type listener struct {
	net.Listener
	*server
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.wrap(c), nil
}

// An openConn is not closed when it should be.
type openConn struct{ net.Conn }

func (openConn) Close() error { return nil }

func stayOpen(c net.Conn) net.Conn { return openConn{c} }

func noReuse(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 0) })
}

type countKey struct{}

// requestsOf counts the requests of a client's connection.
func requestsOf(r *http.Request) *atomic.Int64 { return r.Context().Value(countKey{}).(*atomic.Int64) }

func count(_ http.ResponseWriter, r *http.Request) bool {
	requestsOf(r).Add(1)
	return false
}

func closeAfter100() func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if requestsOf(r).Add(1)%100 == 0 {
			w.Header().Set("Connection", "close")
		}
		return false
	}
}

func logEach(_ http.ResponseWriter, r *http.Request) bool {
	log.Print(r.Method, " ", r.URL)
	return false
}
