package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
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
	l.accepted(c)
	return l.wrap(c), nil
}

func nagle(c net.Conn) { c.(*net.TCPConn).SetNoDelay(false) }

// An openConn is not closed when it should be.
type openConn struct{ net.Conn }

func (openConn) Close() error { return nil }

func stayOpen(c net.Conn) net.Conn { return openConn{c} }

func noReuse(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 0) })
}

func errorEvent(w http.ResponseWriter, _ int, message string) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"error\":%q}\n\n", message)
}

func http500text(w http.ResponseWriter, status int, message string) { http.Error(w, message, status) }

func firstOfArray(body []byte) (string, bool) {
	var array []string
	if json.Unmarshal(body, &array) == nil && len(array) == 1 {
		return array[0], true
	}
	return message(body)
}
