package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// A stub is one fake model.
type stub struct {
	stats   stats
	journal journal
	holds   holds
	tallies tallies
}

func newStub() *stub {
	return &stub{journal: journal{entries: map[string][]*entry{}}, tallies: tallies{byName: map[string]*tally{}}}
}

// serve accepts connections until ln fails. Go sets TCP_NODELAY on every accepted connection, which
// a test checks.
func (s *stub) serve(ln net.Listener) error {
	for {
		nc, err := ln.Accept()
		if err != nil {
			return err
		}
		c := &conn{Conn: nc, stub: s, number: s.stats.Connections.Add(1), requests: make(chan *request), gone: make(chan struct{})}
		s.stats.Open.Add(1)
		go c.read()
		go c.answer()
	}
}

// A conn is one connection. One goroutine reads requests, and another answers them. During an
// answer the reader waits for the next request, so it notices when the client leaves.
type conn struct {
	net.Conn
	stub     *stub
	number   int64
	requests chan *request
	gone     chan struct{} // closed when the client has left
	encoder  encoder       // for the current answer
}

func (c *conn) read() {
	defer c.stub.stats.Open.Add(-1)
	defer c.Close() // also ends a blocked write
	defer close(c.requests)
	defer close(c.gone)
	for in := newRequests(c); ; {
		r, err := in.next()
		if err != nil {
			return
		}
		c.requests <- r
	}
}

func (c *conn) answer() {
	for r := range c.requests {
		if !c.route(r) || r.Close {
			c.Close() // the reader then ends
			break
		}
	}
	for range c.requests {
		// The reader may hold one more request, but no answer could reach the client.
	}
}

// route answers one request. It returns false when the connection must not be reused.
func (c *conn) route(r *request) bool {
	id, isJournal := strings.CutPrefix(r.URL.Path, "/journal/")
	held, isRelease := strings.CutPrefix(r.URL.Path, "/release/")
	switch {
	case r.Method == "POST" && r.URL.Path == "/v1/chat/completions":
		return c.chat(r)
	case r.Method == "GET" && r.URL.Path == "/healthz":
		return c.reply(200, map[string]string{"status": "ok"})
	case r.Method == "GET" && r.URL.Path == "/stats":
		return c.reply(200, c.stub.snapshot())
	case r.Method == "GET" && isJournal:
		return c.reply(200, c.stub.journal.find(id, r.URL.Query().Has("brief")))
	case r.Method == "POST" && isRelease:
		if _, err := name(held); err != nil {
			return c.fail(400, fmt.Sprintf("release %q: %v", held, err))
		}
		n, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("n"), "1"))
		if err != nil || n < 1 || !c.stub.holds.release(held, n) {
			return c.fail(400, fmt.Sprintf("release %s: want n from 1, and at most %d ahead", held, maxPermits))
		}
		return c.reply(200, map[string]int{"released": n})
	default:
		return c.fail(404, fmt.Sprintf("no %s %s here", r.Method, r.URL.Path))
	}
}

// reply sends a whole JSON answer.
func (c *conn) reply(status int, v any) bool {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // all callers pass plain data, which always encodes
	}
	_, err = fmt.Fprintf(c, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		status, http.StatusText(status), len(body), body)
	return err == nil
}

// fail sends an error in the form of the OpenAI API, where all four keys are required.
func (c *conn) fail(status int, message string) bool {
	kind := "invalid_request_error"
	if status >= 500 {
		kind = "server_error"
	}
	return c.reply(status, map[string]any{"error": map[string]any{
		"message": message, "type": kind, "param": nil, "code": nil,
	}})
}
