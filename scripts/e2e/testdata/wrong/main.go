// Command wrong is a server for tests: a correct relay, with the one fault that
// its argument names.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// faults change one thing each in a server that is right.
var faults = map[string]func(*server){
	"right": func(s *server) {},

	// How it passes events on: relays.go.
	"buffers-all":      func(s *server) { s.relay = collect },                                  // a client library that returns whole bodies
	"buffers-4k":       func(s *server) { s.relay = fill4k },                                   // a writer that nobody flushes
	"coalesces":        func(s *server) { s.relay = coalesce },                                 // a proxy with a flush interval
	"compresses":       func(s *server) { s.relay = compress },                                 // a compressing middleware that is on for all types
	"parses":           func(s *server) { s.relay = parse },                                    // bufio.Scanner over lines, which end at 64 KB and lose their CR
	"reads-are-events": func(s *server) { s.relay = closeEach },                                // a loop that takes each read for whole events
	"decodes-reads":    func(s *server) { s.relay = decode },                                   // a text decoder that is made anew for every read
	"searches-done":    func(s *server) { s.relay = untilDone },                                // an end that is looked for in the text
	"never-ends":       func(s *server) { s.relay = again },                                    // a loop without an end
	"drips":            func(s *server) { s.relay = drip },                                     // a throttle that is set too low
	"drops-token":      func(s *server) { s.relay = dropSeventh },                              // a lossy channel
	"hangs-after-cut":  func(s *server) { s.relay = waitAfter },                                // an error that nobody handles
	"invents-done":     func(s *server) { s.relay = alwaysDone },                               // a proxy that makes every answer look whole
	"unbounded":        func(s *server) { s.relay = queue },                                    // a channel or stream without back-pressure
	"leaks":            func(s *server) { s.relay = keep },                                     // a registry of streams that is never cleared
	"prints":           func(s *server) { s.relay = logEach },                                  // a debugging line left in
	"never-cancels":    func(s *server) { s.relay, s.context = readOn, context.WithoutCancel }, // an upstream request on its own
	"never-answers":    func(s *server) { s.late, s.relay = true, never },                      // a handler that waits for what does not come
	"late-header":      func(s *server) { s.late = true },                                      // a framework that sends the header with the first body bytes
	"rejects-all":      func(s *server) { s.message = noMessage },                              // a model of the body that does not fit
	"calls-it-json":    func(s *server) { s.kind = "application/json" },                        // a framework's default type
	"ends-after-10s":   func(s *server) { s.http.WriteTimeout = 10 * time.Second },             // a timeout meant for short answers
	"at-most-100":      func(s *server) { s.most = 100 },                                       // a limit of a server's workers
	"pool-of-100":      func(s *server) { s.transport.MaxConnsPerHost = 100 },                  // a client whose pool has a limit

	// Faults of connections: connections.go.
	"nagle":            func(s *server) { s.accepted = nagle },                   // an accept without options
	"nagle-upstream":   func(s *server) { s.dialed = nagle },                     // a connect without options
	"dials-anew":       func(s *server) { s.transport.DisableKeepAlives = true }, // a client made for each request
	"one-request":      func(s *server) { s.http.SetKeepAlivesEnabled(false) },   // a server without keep-alive
	"never-closes":     func(s *server) { s.wrap = stayOpen },                    // a connection that is put back whatever was asked
	"port-stays-taken": func(s *server) { s.listen.Control = noReuse },           // a listen without options
	"reuses-half-read": func(s *server) { s.do = pooled },                        // a connection pool without a look at its connections
	"own-http":         func(s *server) { s.do = simpleHTTP },                    // an HTTP client of an afternoon

	// Faults under the load of k6 only: load.go. The first 200 requests are those of a shortened warm-up.
	"dies":        func(s *server) { s.loaded = dieAt210 },
	"hangs":       func(s *server) { s.loaded = hangSome },
	"tenth-fails": func(s *server) { s.loaded = failTenth },
	"all-fail":    func(s *server) { s.loaded = failAll },
	// Of each tenth stream, whose tokens are then not even.
	"drops-tenth":   func(s *server) { s.relay = tenth(dropSeventh) },
	"doubles-tenth": func(s *server) { s.relay = tenth(doubleSixth) },
	"asks-twice":    func(s *server) { s.loaded = askAgain },

	"dies-in-warm-up":        func(s *server) { s.loaded = at(50, die) },
	"prints-100-mb":          func(s *server) { s.loaded = at(50, printMuch) }, // a debugging line of a loop
	"stops-itself":           func(s *server) { s.loaded = at(215, stopItself) },
	"hundredth-fails":        func(s *server) { s.loaded = failHundredth },
	"forks":                  func(s *server) { s.loaded = at(215, fork) },          // a worker that is started when there is work
	"forks-away":             func(s *server) { s.loaded = at(215, forkAway) },      // a daemon
	"closes-each":            func(s *server) { s.loaded = closeConnection },        // a limit of requests for each connection
	"leaks-loaded":           func(s *server) { s.loaded = keepSome },               // a cache without an end
	"stops-reading":          func(s *server) { s.relay = s.later(readNothing) },    // a pipeline that is stuck
	"deaf":                   func(s *server) { s.wrap = s.deafen },                 // a pool of threads that are all stuck
	"floods-tokens":          func(s *server) { s.relay = s.later(floodTokens) },    // a loop without an end
	"floods-body":            func(s *server) { s.relay = s.later(floodBody) },      // the same, of no events
	"floods-head":            func(s *server) { s.loaded = floodHead },              // the same, of header fields
	"floods-after-done":      func(s *server) { s.relay = s.later(floodAfterDone) }, // the same, behind the end
	"burns":                  func(s *server) { s.loaded = burn },                   // an interpreter whose threads run one at a time
	"ignores-sigterm-loaded": func(s *server) { s.stop = s.stayIfLoaded },           // a drain that waits for ever

	// How it starts.
	"starts-once":     func(s *server) { exitInRound2() }, // a file that a start leaves and the next one does not expect
	"binds-127.0.0.2": func(s *server) { s.address = "127.0.0.2:" + os.Getenv("PORT") },
	"binds-::1":       func(s *server) { s.address = "[::1]:" + os.Getenv("PORT") },
	"binds-any-port":  func(s *server) { s.address = "127.0.0.1:0" },
	"exits":           func(s *server) { fmt.Println("cannot open the configuration"); os.Exit(4) },
	"mute":            func(s *server) { time.Sleep(time.Hour) },

	// The content of its answers.
	"small-body":       func(s *server) { s.maxBody = 100 << 10 },                // a body parser's default limit
	"wants-length":     func(s *server) { s.lengthOnly = true },                  // a server that reads Content-Length bytes
	"refused-200":      func(s *server) { s.refused = errorEvent },               // a stream that is started before the upstream is asked
	"not-json-error":   func(s *server) { s.fail = http500text },                 // a framework's own error page
	"array-is-message": func(s *server) { s.message = firstOfArray },             // derived deserializers, for which an array is a struct
	"dies-at-sigterm":  func(s *server) { s.stop = func() error { return nil } }, // the default action, with status 0
	"ignores-sigterm":  func(s *server) { s.stop = func() error { select {} } },  // a handler that only notes it
}

type server struct {
	http             http.Server
	address          string
	listen           net.ListenConfig
	wrap             func(net.Conn) net.Conn
	accepted, dialed func(net.Conn)
	transport        *http.Transport
	do               func(*http.Request) (*http.Response, error)
	context          func(context.Context) context.Context

	loaded        func(n int64, w http.ResponseWriter, r *http.Request) bool // true: it has answered
	requests      int64                                                      // of k6
	lengthOnly    bool
	maxBody       int64
	message       func([]byte) (string, bool)
	most, open    int64 // streams; 0: no limit
	late          bool  // the header is sent with the first event
	kind          string
	relay         func(out, *http.Request, io.Reader) error // an error breaks the answer off
	refused, fail func(w http.ResponseWriter, status int, message string)
	stop          func() error
}

func main() {
	none := func(net.Conn) {}
	s := &server{
		address: "127.0.0.1:" + os.Getenv("PORT"),
		wrap:    func(c net.Conn) net.Conn { return c }, accepted: none, dialed: none,
		context: func(ctx context.Context) context.Context { return ctx },
		maxBody: 16 << 20, message: message, kind: "text/event-stream", relay: relay, fail: fail,
	}
	s.stop = func() error { return s.http.Shutdown(context.Background()) }
	s.transport = &http.Transport{MaxIdleConnsPerHost: 1024, DisableCompression: true, ReadBufferSize: readSize,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, network, addr)
			if err == nil {
				s.dialed(c)
			}
			return c, err
		}}
	s.do = s.transport.RoundTrip
	faults[os.Args[1]](s)
	if s.refused == nil {
		s.refused = s.fail
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /chat", s.chat)
	s.http.Handler = mux
	ln, err := s.listen.Listen(context.Background(), "tcp", s.address)
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

func (s *server) chat(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.UserAgent(), "k6/") {
		if n := atomic.AddInt64(&s.requests, 1); s.loaded != nil && s.loaded(n, w, r) {
			return
		}
	}
	if s.lengthOnly && r.ContentLength < 0 {
		s.fail(w, 411, "want Content-Length")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.maxBody))
	message, ok := s.message(body)
	if err != nil || !ok {
		s.fail(w, 400, `want {"message": "..."}`)
		return
	}
	defer atomic.AddInt64(&s.open, -1)
	if n := atomic.AddInt64(&s.open, 1); s.most > 0 && n > s.most {
		s.fail(w, 503, "busy")
		return
	}
	req, _ := http.NewRequestWithContext(s.context(r.Context()), "POST", os.Getenv("STUB_URL")+"/chat/completions", bytes.NewReader(asked(message)))
	req.Header.Set("Content-Type", "application/json")
	upstream, err := s.do(req)
	if err != nil {
		s.refused(w, 502, err.Error())
		return
	}
	defer upstream.Body.Close()
	if upstream.StatusCode != 200 || !strings.HasPrefix(upstream.Header.Get("Content-Type"), "text/event-stream") {
		s.refused(w, 502, upstream.Status)
		return
	}
	o := out{w, http.NewResponseController(w)}
	w.Header().Set("Content-Type", s.kind)
	if !s.late {
		o.Flush()
	}
	if s.relay(o, r, upstream.Body) != nil {
		panic(http.ErrAbortHandler)
	}
}

// asked is what the stub is asked for a message.
func asked(message string) []byte {
	ask, _ := json.Marshal(map[string]any{"model": "stub", "stream": true, "messages": []any{map[string]string{"role": "user", "content": message}}}) // it is text
	return ask
}

func message(body []byte) (string, bool) {
	var in struct{ Message *string }
	if json.Unmarshal(body, &in) != nil || in.Message == nil {
		return "", false
	}
	return *in.Message, true
}

func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"error": message})
}

type out struct {
	http.ResponseWriter
	*http.ResponseController
}

func (o out) send(b []byte) error {
	_, err := o.Write(b)
	return errors.Join(err, o.Flush())
}

func relay(o out, _ *http.Request, body io.Reader) error { return pump(body, o.send) }

// readSize holds what a short answer has, so that a read ends where a write of
// the upstream ended.
const readSize = 64 << 10

// pump gives do what body has, as it comes.
func pump(body io.Reader, do func([]byte) error) error {
	buf := make([]byte, readSize)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			if err := do(buf[:n]); err != nil {
				return err
			}
		}
		if err != nil {
			return unlessEOF(err)
		}
	}
}

func unlessEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// noMessage finds none in any body.
func noMessage([]byte) (string, bool) { return "", false }
