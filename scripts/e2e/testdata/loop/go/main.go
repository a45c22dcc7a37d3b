// loop/go: the simplest Go program that relays a stream: a goroutine per
// connection on package net, copying the upstream's bytes as they are, one
// write per read.
//
// It is the floor against which a Go server's CPU time per stream is held, not
// a server to compare with. It leaves out what a server owes: it believes every
// request and answer to be well-formed, every answer to be chunked without
// trailers, and no request to come before the answer to the one before it. It
// answers no error, notices that a client has left only when a write fails, and
// ends at once on SIGTERM.
//
// Go sets TCP_NODELAY on every TCP connection, dialed and accepted.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strconv"
	"strings"
)

const (
	head = "POST /%s/chat/completions HTTP/1.1\r\nHost: %s\r\n" +
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
	bodyEnd = "\r\n0\r\n\r\n" // the last data's line end, and the empty chunk
)

var (
	host, path, _ = strings.Cut(strings.TrimPrefix(os.Getenv("STUB_URL"), "http://"), "/")
	idle          = make(chan net.Conn, 4096) // to the upstream; room for more than are ever open
)

func main() {
	ln, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	for {
		client, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer client.Close()
			requests, buf := bufio.NewReader(client), make([]byte, 8<<10)
			for answer(client, requests, buf) == nil {
			}
		}()
	}
}

// answer reads one request and answers it.
func answer(client net.Conn, requests *bufio.Reader, buf []byte) error {
	length := 0
	for {
		line, err := requests.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) == 2 { // the head ends
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
		}
	}
	if length == 0 { // GET /healthz
		_, err := io.WriteString(client, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		return err
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(requests, body); err != nil {
		return err
	}
	// {"message":TEXT}: the text is JSON there as it is here, and so is the brace.
	_, text, _ := bytes.Cut(body, []byte(":"))
	ask := fmt.Sprintf(`{"model":"stub","stream":true,"messages":[{"role":"user","content":%s]}`, text)

	var upstream net.Conn
	var err error
	select {
	case upstream = <-idle:
	default:
		if upstream, err = net.Dial("tcp", host); err != nil {
			return err
		}
	}
	if _, err = fmt.Fprintf(upstream, head, path, host, len(ask), ask); err == nil {
		err = relay(client, upstream, buf)
	}
	if err != nil {
		upstream.Close()
		return err
	}
	idle <- upstream
	return nil
}

// relay copies one answer. The bytes that may be the beginning of its end stand
// before those of the next read, so that the end is found however it is split.
func relay(client, upstream net.Conn, buf []byte) error {
	const kept = len(bodyEnd)
	clear(buf[:kept])
	for {
		n, err := upstream.Read(buf[kept:])
		if err != nil {
			return err
		}
		if _, err = client.Write(buf[kept : kept+n]); err != nil {
			return err
		}
		copy(buf, buf[n:n+kept])
		if string(buf[:kept]) == bodyEnd {
			return nil
		}
	}
}
