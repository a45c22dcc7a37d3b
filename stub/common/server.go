// Package common is what the parts of the stub share. It turns connections into requests and calls
// the route of each. It has the journal, the counters, the permits of held answers, and the
// directives by which a message controls its answer. It answers GET /healthz, GET /stats,
// GET /journal/ID and POST /release/ID?n=1 itself. It knows no workload.
//
// It trusts its caller. It speaks HTTP/1.1 on the socket, without net/http's server, for two
// reasons. Each event must be one write of ready bytes, because the stub's cost is part of every
// measurement on shared cores. And it must misbehave: cut a connection, stall, or split an event. A
// correct server library refuses that. net/http still parses requests.
package common

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// A Server is one fake upstream.
type Server struct {
	Stats   Stats
	Journal Journal
	Holds   Holds
	Tallies Tallies
	Gaps    Gaps
	routes  []Route // of workloads, then own
}

// A Route answers the requests for a method and a path. A path that ends in / includes all below.
// Answer returns false when the connection must not be reused.
type Route struct {
	Method, Path string
	Answer       func(*Conn, *Request) bool
}

// NewServer makes a server with the routes of workloads.
func NewServer(workloads ...[]Route) *Server {
	return &Server{
		Journal: Journal{entries: map[string][]*Entry{}},
		Tallies: Tallies{byName: map[string]*tally{}},
		routes:  slices.Concat(append(workloads, own)...),
	}
}

// own are the routes that every workload needs.
var own = []Route{
	{"GET", "/healthz", func(c *Conn, _ *Request) bool { return c.Reply(200, map[string]string{"status": "ok"}) }},
	{"GET", "/stats", func(c *Conn, _ *Request) bool { return c.Reply(200, c.Server.Snapshot()) }},
	{"GET", "/journal/", findEntries},
	{"POST", "/release/", release},
}

func findEntries(c *Conn, r *Request) bool {
	id := strings.TrimPrefix(r.URL.Path, "/journal/")
	return c.Reply(200, c.Server.Journal.Find(id, r.URL.Query().Has("brief")))
}

func release(c *Conn, r *Request) bool {
	id := strings.TrimPrefix(r.URL.Path, "/release/")
	if _, err := Name(id); err != nil {
		return c.Fail(400, fmt.Sprintf("release %q: %v", id, err))
	}
	n, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("n"), "1"))
	if err != nil || n < 1 || !c.Server.Holds.release(id, n) {
		return c.Fail(400, fmt.Sprintf("release %s: want n from 1, and at most %d ahead", id, maxPermits))
	}
	return c.Reply(200, map[string]int{"released": n})
}

// Serve accepts connections until ln fails. Go sets TCP_NODELAY on every accepted connection, which
// a test checks.
func (s *Server) Serve(ln net.Listener) error {
	for {
		nc, err := ln.Accept()
		if err != nil {
			return err
		}
		c := NewConn(nc, s)
		s.Stats.Open.Add(1)
		go c.Serve()
	}
}

// route answers one request. It returns false when the connection must not be reused.
func (s *Server) route(c *Conn, r *Request) bool {
	for i, to := range s.routes {
		below := strings.HasSuffix(to.Path, "/") && strings.HasPrefix(r.URL.Path, to.Path)
		if r.Method == to.Method && (r.URL.Path == to.Path || below) {
			if i >= len(s.routes)-len(own) {
				s.Stats.Others.Add(1)
			}
			return to.Answer(c, r)
		}
	}
	s.Stats.Others.Add(1)
	return c.Fail(http.StatusNotFound, fmt.Sprintf("no %s %s here", r.Method, r.URL.Path))
}
