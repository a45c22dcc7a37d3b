// Command wrongfiles is a server for tests: a correct server of the workload files, with the one fault that
// its argument names.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

// faults change one thing each in a server that is right.
var faults = map[string]func(*server){
	"right": func(*server) {},

	// The bytes that arrive: bodies.go.
	"rejects-all":   func(s *server) { s.file = func(w http.ResponseWriter, _ *http.Request) { fail(w, 500, "no") } },
	"never-answers": func(s *server) { s.file = hang },                      // a handler that waits for what does not come
	"octet-stream":  func(s *server) { s.kind = octetStream },               // a framework's default type
	"drops-charset": func(s *server) { s.kind = withoutParameters },         // a type that is parsed and written again
	"drops-length":  func(s *server) { s.length = false },                   // a stream whose length a framework does not know
	"as-text":       func(s *server) { s.relay = asText },                   // bytes that are taken for characters
	"one-read":      func(s *server) { s.relay = oneRead },                  // a read that is taken for the whole of a small body
	"compresses":    func(s *server) { s.compress = true },                  // a middleware that compresses what the client accepts
	"head-is-404":   func(s *server) { s.method = "GET" },                   // a router without HEAD
	"limits-1-mb":   func(s *server) { s.most = 1 << 20 },                   // a client's default limit of a body
	"empty-is-502":  func(s *server) { s.relay, s.empty = nonEmpty, false }, // a body that counts as none
	"length-only":   func(s *server) { s.lengthOnly = true },                // an upstream that must say how long its answer is

	// How it streams: bodies.go.
	"buffers-all":       func(s *server) { s.relay = bufferAll },                           // a client that returns a body when it has all of it
	"buffers-64k":       func(s *server) { s.relay = buffer(64 << 10) },                    // a buffered writer that nobody flushes
	"buffers-chunks":    func(s *server) { s.relay = bufferChunks },                        // a length that is found by reading all
	"unbounded":         func(s *server) { s.relay = queue },                               // a channel or stream without back-pressure
	"leaks":             func(s *server) { s.relay = keep },                                // a registry of requests that is never cleared
	"never-cancels":     func(s *server) { s.relay, s.context = readOn, withoutCancel },    // an upstream request on its own
	"cancels-when-sent": func(s *server) { s.relay, s.context = relay, untilWriteFails() }, // a client's leaving that only a write shows
	"slow-is-cut":       func(s *server) { s.http.WriteTimeout = 700 * time.Millisecond },  // a limit against slow clients

	// The answer when the upstream breaks off or fails: faults.go.
	"ends-cleanly":   func(s *server) { s.broken, s.length = func(out, int64) error { return nil }, false }, // an error that is only logged
	"chunks-cleanly": func(s *server) { s.broken = func(out, int64) error { return nil } },                  // the same, with a length where there is one
	"pads":           func(s *server) { s.broken = pad },                                                    // a buffer of the promised length
	"hangs-if-cut":   func(s *server) { s.broken = func(out, int64) error { select {} } },                   // an event that nobody listens to
	"404-is-502":     func(s *server) { s.statuses = map[int]int{} },                                        // a client for which each status is an exception
	"passes-500":     func(s *server) { s.statuses[500] = 500 },                                             // a status that is passed on
	"refused-is-500": func(s *server) { s.refused = 500 },                                                   // an exception that nobody handles
	"answers-all":    func(s *server) { s.method, s.path = "", "/" },                                        // a proxy of every path

	// Connections: connections.go.
	"at-most-100":      func(s *server) { s.workers = 100 },                        // a limit of a server's workers
	"pool-of-100":      func(s *server) { s.transport.MaxConnsPerHost = 100 },      // a client whose pool has a limit
	"dials-anew":       func(s *server) { s.transport.DisableKeepAlives = true },   // a client made for each request
	"one-request":      func(s *server) { s.http.SetKeepAlivesEnabled(false) },     // a server without keep-alive
	"100-requests":     func(s *server) { s.before = closeAfter100() },             // a limit of requests for each connection
	"never-closes":     func(s *server) { s.wrap = stayOpen },                      // a connection that is put back whatever was asked
	"reuses-half-read": func(s *server) { s.do = pooled },                          // a connection pool without a look at its connections
	"own-http":         func(s *server) { s.do = simpleHTTP },                      // an HTTP client of an afternoon
	"second-buffered":  func(s *server) { s.relay, s.before = bufferLater, count }, // a state of the connection that the first request leaves

	// A fault under the load of k6 only: loaded.go.
	"cut-loaded": cutTenth, // an upstream that breaks off now and then

	// The process.
	"exits":            func(*server) { fmt.Println("cannot open the configuration"); os.Exit(4) },
	"prints":           func(s *server) { s.before = logEach },                                         // a debugging line left in
	"port-stays-taken": func(s *server) { s.listen.Control = noReuse },                                 // a listen without options
	"dies-at-sigterm":  func(s *server) { s.stop = func() error { return nil } },                       // the default action, with status 0
	"ignores-sigterm":  func(s *server) { s.stop = func() error { select {} } },                        // a handler that only notes it
	"fails-at-sigterm": func(s *server) { s.stop = func() error { return fmt.Errorf("interrupted") } }, // a signal that is an error
}

type server struct {
	http      http.Server
	listen    net.ListenConfig
	wrap      func(net.Conn) net.Conn
	transport *http.Transport
	do        func(*http.Request) (*http.Response, error)
	context   func(http.ResponseWriter, *http.Request) context.Context
	stop      func() error

	method, path string                                                   // of its route
	before       func(w http.ResponseWriter, r *http.Request) (done bool) // of each request
	file         http.HandlerFunc
	workers      int64 // requests at once; 0: no limit
	open         atomic.Int64

	kind       func(string) string
	length     bool // it passes on the length
	lengthOnly bool
	empty      bool  // it relays bodies of 0 bytes
	most       int64 // bytes of a body; 0: no limit
	compress   bool
	relay      func(out, *http.Request, *http.Response) error // an error breaks the answer off
	broken     func(o out, sent int64) error                  // when the upstream breaks off
	statuses   map[int]int                                    // answers to statuses of the upstream; others are 502
	refused    int
}

func main() {
	s := &server{
		wrap: func(c net.Conn) net.Conn { return c }, path: "/files/{name}", method: "GET|HEAD",
		before:  func(http.ResponseWriter, *http.Request) bool { return false },
		context: func(_ http.ResponseWriter, r *http.Request) context.Context { return r.Context() },
		kind:    func(kind string) string { return kind }, length: true, empty: true, relay: relay,
		broken:   func(out, int64) error { return errors.New("broken") },
		statuses: map[int]int{404: 404}, refused: 502,
	}
	s.file = s.get
	s.stop = func() error { return s.http.Shutdown(context.Background()) }
	s.transport = &http.Transport{MaxIdleConnsPerHost: 1024, DisableCompression: true}
	s.do = s.transport.RoundTrip
	faults[os.Args[1]](s)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	for _, method := range []string{"GET", "HEAD"} {
		if s.method == "GET|HEAD" || s.method == method {
			mux.HandleFunc(method+" "+s.path, s.limited)
		}
	}
	if s.method == "GET" {
		mux.HandleFunc("HEAD "+s.path, http.NotFound)
	} else if s.method == "" {
		mux.HandleFunc(s.path, s.limited)
	}
	s.http.Handler = mux
	s.http.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
		return context.WithValue(ctx, countKey{}, new(atomic.Int64))
	}
	ln, err := s.listen.Listen(context.Background(), "tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Print(s.http.Serve(listener{ln, s})) }()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	<-ctx.Done()
	if err := s.stop(); err != nil {
		log.Fatal(err)
	}
}

// limited answers a request unless there are too many.
func (s *server) limited(w http.ResponseWriter, r *http.Request) {
	if s.before(w, r) {
		return
	}
	defer s.open.Add(-1)
	if n := s.open.Add(1); s.workers > 0 && n > s.workers {
		fail(w, 503, "busy")
		return
	}
	s.file(w, r)
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	req, err := http.NewRequestWithContext(s.context(w, r), map[bool]string{true: "HEAD", false: "GET"}[r.Method == "HEAD"], os.Getenv("STUB_URL")+r.URL.EscapedPath(), nil)
	if err != nil {
		fail(w, 502, err.Error())
		return
	}
	upstream, err := s.do(req)
	if err != nil {
		fail(w, s.refused, err.Error())
		return
	}
	defer upstream.Body.Close()
	if upstream.StatusCode != 200 {
		status := s.statuses[upstream.StatusCode]
		if status == 0 {
			status = 502
		}
		fail(w, status, upstream.Status)
		return
	}
	if s.lengthOnly && upstream.ContentLength < 0 || s.most > 0 && upstream.ContentLength > s.most || !s.empty && upstream.ContentLength == 0 {
		fail(w, 502, "upstream: not a body for us")
		return
	}
	w.Header().Set("Content-Type", s.kind(upstream.Header.Get("Content-Type")))
	o := out{ResponseWriter: w, ResponseController: http.NewResponseController(w), server: s}
	if s.compress && r.Header.Get("Accept-Encoding") != "" {
		s.zip(o, r, upstream)
		return
	}
	if length := upstream.Header.Get("Content-Length"); length != "" && s.length {
		w.Header().Set("Content-Length", length)
	}
	if s.relay(o, r, upstream) != nil {
		panic(http.ErrAbortHandler)
	}
}

func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":%s}`, strconv.Quote(message))
}

func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

type out struct {
	http.ResponseWriter
	*http.ResponseController
	*server
}

func (o out) send(b []byte) error {
	_, err := o.Write(b)
	return errors.Join(err, o.Flush())
}

func relay(o out, _ *http.Request, upstream *http.Response) error {
	return o.pump(upstream.Body, o.send)
}

// pump gives do what a body has, as it comes.
func (o out) pump(body io.Reader, do func([]byte) error) error {
	buf := make([]byte, 32<<10)
	for sent := int64(0); ; {
		n, err := body.Read(buf)
		if n > 0 {
			sent += int64(n)
			if err := do(buf[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return o.broken(o, sent)
		}
	}
}
