package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"syscall"
	"time"
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

type upstreamConn struct {
	net.Conn
	read *bufio.Reader
}

var pool = make(chan upstreamConn, 2048)

func pooled(req *http.Request) (*http.Response, error) {
	var c upstreamConn
	select {
	case c = <-pool:
	default:
		dialed, err := net.Dial("tcp", req.URL.Host)
		if err != nil {
			return nil, err
		}
		c = upstreamConn{dialed, bufio.NewReader(dialed)}
	}
	stop := context.AfterFunc(req.Context(), func() { c.SetReadDeadline(time.Unix(1, 0)) })
	req.Write(c)
	resp, err := http.ReadResponse(c.read, req)
	if err != nil {
		c.Close()
		return nil, err
	}
	resp.Body = body{resp.Body, func() {
		if stop(); resp.Close {
			c.Close()
			return
		}
		c.SetReadDeadline(time.Time{})
		pool <- c
	}}
	return resp, nil
}

type body struct {
	io.Reader
	close func()
}

func (b body) Close() error { b.close(); return nil }

// simpleHTTP keeps no connection, and knows no chunk extensions, no trailers and
// no body without chunks.
func simpleHTTP(req *http.Request) (*http.Response, error) {
	c, err := net.Dial("tcp", req.URL.Host)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(req.Context(), func() { c.Close() })
	req.Write(c)
	text := textproto.NewReader(bufio.NewReader(c))
	status, err := text.ReadLine()
	if err != nil {
		return nil, err
	}
	header, err := text.ReadMIMEHeader()
	code, _ := strconv.Atoi(strings.Fields(status)[1])
	in, out := io.Pipe()
	go func() { out.CloseWithError(chunks(text.R, out)) }()
	return &http.Response{StatusCode: code, Header: http.Header(header), Body: body{in, func() { stop(); c.Close() }}}, err
}

func chunks(in *bufio.Reader, out io.Writer) error {
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		size, err := strconv.ParseInt(strings.TrimSpace(line), 16, 64)
		if err != nil || size == 0 {
			return err
		}
		if _, err := io.CopyN(out, in, size); err != nil {
			return err
		}
		in.Discard(len("\r\n"))
	}
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
