package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"time"
)

type upstreamConn struct {
	net.Conn
	read *bufio.Reader
}

var pool = make(chan upstreamConn, 2048)

// pooled puts a connection back whatever is left to read on it.
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

// simpleHTTP keeps no connection, and knows no chunk extensions, no trailers and no body that ends with its
// connection.
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
	if err != nil {
		return nil, err
	}
	code, _ := strconv.Atoi(strings.Fields(status)[1])
	resp := &http.Response{Status: status, StatusCode: code, Header: http.Header(header), ContentLength: -1}
	in, out := io.Pipe()
	resp.Body = body{in, func() { stop(); c.Close(); in.Close() }}
	go func() {
		length, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
		switch {
		case req.Method == "HEAD":
			err = nil
		case err == nil:
			if _, err = io.CopyN(out, text.R, length); err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
		default:
			err = chunks(text.R, out)
		}
		out.CloseWithError(err)
	}()
	return resp, nil
}

func chunks(in *bufio.Reader, out io.Writer) error {
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		size, err := strconv.ParseInt(strings.TrimSpace(line), 16, 64)
		if err != nil || size == 0 {
			return err
		}
		if _, err := io.CopyN(out, in, size); err != nil {
			return io.ErrUnexpectedEOF
		}
		in.Discard(len("\r\n"))
	}
}
