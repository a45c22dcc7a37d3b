package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// A timedWrite is one write of an answer.
type timedWrite struct {
	DueNS time.Duration // from the request
	Bytes []byte
}

// bare is the least that can be done: a loop that makes the writes of an answer of the stub, each
// when the stub would, and neither parses nor counts.
func bare(in io.Reader) error {
	var writes []timedWrite
	if err := json.NewDecoder(in).Decode(&writes); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/v1\n", ln.Addr())
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer c.Close()
			request := make([]byte, 4096)
			for {
				if _, err := c.Read(request); err != nil { // the client sends a request in one write
					return
				}
				start := time.Now()
				for _, w := range writes {
					time.Sleep(time.Until(start.Add(w.DueNS)))
					if _, err := c.Write(w.Bytes); err != nil {
						return
					}
				}
			}
		}()
	}
}

// writesOf asks a stub for an answer and splits it into the stub's writes: the header, each chunk,
// and the end. A test of the stub holds that these are its writes.
func writesOf(addr string, itl time.Duration) ([]timedWrite, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if _, err := io.WriteString(c, request(0)); err != nil {
		return nil, err
	}
	var raw bytes.Buffer
	res, err := http.ReadResponse(bufio.NewReader(io.TeeReader(c, &raw)), nil)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return nil, err
	}
	const before = 2 // the header and the role
	parts := bytes.SplitAfter(raw.Bytes(), []byte("\n\r\n"))
	parts = parts[:len(parts)-1] // nothing follows the last
	if len(parts) != before+costTokens+3 || !bytes.Contains(parts[before], []byte(`"content":"0:`)) {
		return nil, fmt.Errorf("%d writes of the stub, want %d: %q", len(parts), before+costTokens+3, raw.Bytes())
	}
	var writes []timedWrite
	for i, part := range parts {
		writes = append(writes, timedWrite{time.Duration(min(max(0, i-before), costTokens)) * itl, part})
	}
	return writes, nil
}
