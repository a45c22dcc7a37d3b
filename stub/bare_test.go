package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain lets a benchmark run this binary as the stub, or as the bare loop.
func TestMain(m *testing.M) {
	switch os.Getenv("STUB_COST_ROLE") {
	case "stub":
		main()
	case "bare":
		fmt.Fprintln(os.Stderr, bare())
		os.Exit(1)
	default:
		os.Exit(m.Run())
	}
}

// A timedWrite is one write of an answer.
type timedWrite struct {
	DueNS time.Duration // from the request
	Bytes []byte
}

// bare is the least that can be done: a loop that makes the writes of an answer
// of the stub, each when the stub would, and neither parses nor counts. The
// writes are in a file.
func bare() error {
	data, err := os.ReadFile(os.Getenv("STUB_COST_WRITES"))
	if err != nil {
		return err
	}
	var writes []timedWrite
	if err := json.Unmarshal(data, &writes); err != nil {
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

// writesOf is an answer of the stub, write by write, as its message paces it.
// It is taken inside the stub: read from a socket, writes that follow each
// other at once come as one, a different number of them each time.
func writesOf(tokens int, itl time.Duration) ([]timedWrite, error) {
	r := &recorder{}
	record(r, fmt.Sprintf("hello @itl=0s @tokens=%d", tokens), false)
	const before = 2 // the header and the role
	if len(r.writes) != before+tokens+3 || !strings.Contains(r.writes[before], `"content":"0:`) {
		return nil, fmt.Errorf("%d writes, want %d; the first token is in %q", len(r.writes), before+tokens+3, r.writes[before])
	}
	var writes []timedWrite
	for i, w := range r.writes {
		writes = append(writes, timedWrite{time.Duration(min(max(0, i-before), tokens)) * itl, []byte(w)})
	}
	return writes, nil
}
