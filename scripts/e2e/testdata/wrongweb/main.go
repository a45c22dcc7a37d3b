// Command wrongweb is a server for tests: a correct server of the workload web, with the one fault that its
// argument names.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// faults change one thing each in a server that is right.
var faults = map[string]func(*server){
	"right": func(*server) {},

	// GET / and GET /id: text.go.
	"says-Hi":         func(s *server) { s.hi = "Hi" },                       // the text of another benchmark
	"says-html":       func(s *server) { s.textType = "text/html" },          // a framework's default type
	"never-answers":   func(s *server) { s.hello = hang },                    // a handler that waits for what does not come
	"only-digits":     func(s *server) { s.id = onlyDigits },                 // a route for numbers
	"no-header":       func(s *server) { s.poweredBy = never },               // a middleware that is not there
	"header-if-named": func(s *server) { s.poweredBy = ifNamed },             // a header that one branch sets
	"always-a-space":  func(s *server) { s.greet = alwaysASpace },            // a template
	"finds-name":      func(s *server) { s.name = findName },                 // a search in the text of the query
	"index-hack":      func(s *server) { s.name = afterQuestionMark },        // places of the benchmark's own requests
	"raw-path":        func(s *server) { s.id = rawID },                      // a router that does not decode
	"decodes-twice":   func(s *server) { s.id = decodedTwice },               // a router and a handler that both decode
	"path-is-query":   func(s *server) { s.id = decodedAsQuery },             // the wrong one of two decoders
	"splits-decoded":  func(s *server) { s.id = splitDecoded },               // a router that decodes first
	"plus-stays":      func(s *server) { s.name = plusStays },                // the wrong one of two decoders
	"latin-1":         func(s *server) { s.id, s.name = latinID, latinName }, // bytes that are taken for characters
	"last-name":       func(s *server) { s.name = lastName },                 // a map of parameters
	"joins-names":     func(s *server) { s.name = joinNames },                // an array that becomes a text
	"ten-parameters":  func(s *server) { s.name = firstTen },                 // a limit against attacks

	// POST /json: json.go.
	"says-text":        func(s *server) { s.jsonType = "text/plain" },         // a text that is returned as it is
	"objects-only":     func(s *server) { s.parse = objectsOnly },             // a type for the body
	"float-32":         func(s *server) { s.parse = float32s },                // a narrow type
	"int-32":           func(s *server) { s.parse = int32s },                  // the same, of whole numbers
	"splits-pairs":     func(s *server) { s.parse = splitPairs },              // a decoder of an afternoon
	"drops-empty-keys": func(s *server) { s.parse = dropEmptyKeys },           // a key that counts as none
	"64-deep":          func(s *server) { s.parse = limitDepth },              // a limit against attacks
	"strict-body":      func(s *server) { s.parse = strictBody },              // a body parser's default
	"echoes":           func(s *server) { s.write = echo },                    // a check, and then the request's bytes
	"compacts":         func(s *server) { s.write = compact },                 // the same without white space
	"takes-prefix":     func(s *server) { s.parse = prefix },                  // a decoder of a stream of values
	"empty-is-null":    func(s *server) { s.parse = emptyIsNull },             // a body parser that runs only for bodies
	"invalid-is-500":   func(s *server) { s.invalid = 500 },                   // an exception that nobody handles
	"takes-NaN":        func(s *server) { s.parse = takeNaN },                 // Python's parser
	"100-kB":           func(s *server) { s.maxBody, s.large = 100<<10, 413 }, // a body parser's default limit
	"too-big-is-400":   func(s *server) { s.maxBody, s.large = 2<<20, 400 },   // an error that is handled as any other
	"too-big-hangs":    func(s *server) { s.maxBody, s.large = 2<<20, 0 },     // a pipeline that is stuck

	// GET /data: data.go.
	"data-as-text":     func(s *server) { s.dataType = "text/plain; charset=utf-8" }, // a file's type by its content
	"data-parsed":      func(s *server) { s.read = parsed },                          // a file that is read as a value
	"reads-once":       func(s *server) { s.read = once() },                          // a file that is read at the start
	"caches-by-time":   func(s *server) { s.read = byTime() },                        // a cache that looks at the time of the last change
	"caches-by-length": func(s *server) { s.read = byLength() },                      // the same with the length
	"reads-4-kB":       func(s *server) { s.read = first4kB },                        // a buffer of a fixed size

	// Routes: routes.go.
	"head-is-404":   func(s *server) { s.before = headIs404 },    // a router without HEAD
	"head-has-body": func(s *server) { s.before = headWithBody }, // a handler that answers HEAD as GET
	"answers-all":   func(s *server) { s.root = "GET /" },        // a route that includes all below
	"any-method":    func(s *server) { s.before = asAnyMethod },  // a router of paths only

	// Connections: connections.go.
	"closes-each":     func(s *server) { s.http.SetKeepAlivesEnabled(false) }, // a server without keep-alive
	"100-requests":    func(s *server) { s.before = closeAfter100() },         // a limit of requests for each connection
	"drops-pipelined": func(s *server) { s.wrap = dropPipelined },             // a buffer that is cleared after each request
	"own-http":        func(s *server) { s.serve = s.simpleHTTP },             // an HTTP server of an afternoon
	"one-read":        func(s *server) { s.wrap = oneRead },                   // a read that is taken for the whole header
	"8-workers":       func(s *server) { s.workers = 8 },                      // a worker for each connection
	"writes-in-turn":  func(s *server) { s.before = s.inTurn },                // a lock that is held while it writes
	"500-connections": func(s *server) { s.most = 500 },                       // a limit of connections
	"wants-length":    func(s *server) { s.before = lengthOnly },              // a server that reads Content-Length bytes
	"never-closes":    func(s *server) { s.wrap = stayOpen },                  // a connection that is put back whatever was asked

	// Faults under the load of k6 only: loaded.go.
	"wrong-loaded": func(s *server) { s.before = each(10, s.answerHo) },   // an answer of another request
	"404-loaded":   func(s *server) { s.before = each(1, http.NotFound) }, // a route that a deployment lost
	"dies-loaded":  func(s *server) { s.before = each(300, dies) },

	// The process.
	"exits":            func(*server) { fmt.Println("cannot open the configuration"); os.Exit(4) },
	"prints":           func(s *server) { s.before = logEach },                                         // a debugging line left in
	"port-stays-taken": func(s *server) { s.listen.Control = noReuse },                                 // a listen without options
	"dies-at-sigterm":  func(s *server) { s.stop = func() error { return fmt.Errorf("interrupted") } }, // a signal that is an error
	"ignores-sigterm":  func(s *server) { s.stop = func() error { select {} } },                        // a handler that only notes it
	"waits-for-idle":   func(s *server) { s.stop = s.waitForAll },                                      // a drain that counts idle connections
}

type server struct {
	http   http.Server
	listen net.ListenConfig
	wrap   func(net.Conn) net.Conn
	serve  func(net.Listener)
	root   string                                                   // pattern of GET /
	before func(w http.ResponseWriter, r *http.Request) (done bool) // of each request
	stop   func() error

	workers, most int // connections that are served, or accepted, at the same time; 0: no limit
	open          sync.WaitGroup
	turn          sync.Mutex

	hi, textType string
	hello        http.HandlerFunc
	id           func(*http.Request) (string, bool) // false: not found
	name         func(query string) (string, bool)
	greet        func(id, name string, named bool) string
	poweredBy    func(named bool) bool

	jsonType string
	parse    func([]byte) (any, error)
	write    func(v any, body []byte) ([]byte, error)
	invalid  int // status
	maxBody  int64
	large    int // status of a larger body; 0: no answer

	dataType string
	read     func() ([]byte, error)
}

func main() {
	s := &server{
		wrap: func(c net.Conn) net.Conn { return c }, root: "GET /{$}",
		before: func(http.ResponseWriter, *http.Request) bool { return false },
		hi:     "hi", textType: "text/plain", id: decodedID, name: name, greet: greet, poweredBy: func(bool) bool { return true },
		jsonType: "application/json", parse: parse, write: write, invalid: 400, maxBody: 16 << 20, large: 413,
		dataType: "application/json", read: read,
	}
	s.hello = func(w http.ResponseWriter, _ *http.Request) { s.text(w, s.hi) }
	s.serve = func(ln net.Listener) { log.Print(s.http.Serve(ln)) }
	s.stop = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second) // a client may have sent a part of a request
		defer cancel()
		s.http.Shutdown(ctx) // open connections then end with the process
		return nil
	}
	faults[os.Args[1]](s)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc(s.root, s.hello)
	mux.HandleFunc("GET /id/", s.getID)
	mux.HandleFunc("POST /json", s.postJSON)
	mux.HandleFunc("GET /data", s.getData)
	s.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.before(w, r) {
			mux.ServeHTTP(w, r)
		}
	})
	ln, err := s.listen.Listen(context.Background(), "tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	go s.serve(&listener{Listener: ln, server: s})
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	<-ctx.Done()
	if err := s.stop(); err != nil {
		log.Fatal(err)
	}
}
