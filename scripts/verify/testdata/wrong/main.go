// Command wrong is a server for the tests of the checks: a correct relay, with
// the one fault that its argument names.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
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
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// faults change one thing each in a server that is right.
var faults = map[string]func(*server){
	"right":              func(s *server) {},
	"buffers-all":        func(s *server) { s.relay = collect },                                  // a client library that returns whole bodies
	"content-length":     func(s *server) { s.relay, s.late = measure, true },                    // a framework that does so, and sends what it got
	"buffers-4k":         func(s *server) { s.relay = fill4k },                                   // a writer that nobody flushes
	"late-header":        func(s *server) { s.late = true },                                      // a framework that sends the header with the first body bytes
	"coalesces":          func(s *server) { s.relay = coalesce },                                 // a proxy with a flush interval
	"gzip":               func(s *server) { s.relay = compress },                                 // a compressing middleware that is on for all types
	"scanner":            func(s *server) { s.relay = scan },                                     // bufio.Scanner, whose lines end at 64 KB and lose their CR
	"decodes-chunks":     func(s *server) { s.relay = decode },                                   // a text decoder that is made anew for every read
	"drops-token":        func(s *server) { s.relay = dropSeventh },                              // a lossy channel
	"invents-done":       func(s *server) { s.relay = alwaysDone },                               // a proxy that makes every answer look whole
	"unbounded":          func(s *server) { s.relay = queue },                                    // a channel or stream without back-pressure
	"never-cancels":      func(s *server) { s.relay, s.context = readOn, context.WithoutCancel }, // an upstream request on its own
	"reuses-half-read":   func(s *server) { s.do = pooled },                                      // a connection pool without a look at its connections
	"dials-anew":         func(s *server) { s.transport.DisableKeepAlives = true },               // a client made for each request
	"100-at-most":        func(s *server) { s.transport.MaxConnsPerHost = 100 },                  // a client whose pool has a limit
	"nagle":              func(s *server) { s.accepted = nagle },                                 // an accept without options
	"nagle-upstream":     func(s *server) { s.dialed = nagle },                                   // a connect without options
	"small-body":         func(s *server) { s.maxBody = 100 << 10 },                              // a body parser's default limit
	"refused-200":        func(s *server) { s.refused = errorEvent },                             // a stream that is begun before the upstream is asked
	"not-json-error":     func(s *server) { s.fail = http500text },                               // a framework's own error page
	"derives-from-array": func(s *server) { s.parse = firstOfArray },                             // derived deserializers, for which an array is a struct
	"dies-at-sigterm":    func(s *server) { s.stop = func(*http.Server) error { return nil } },   // the default action, with status 0
}

type server struct {
	maxBody          int64
	late             bool // the header is sent with the first event
	transport        *http.Transport
	accepted, dialed func(net.Conn)
	parse            func([]byte) (string, bool)
	context          func(context.Context) context.Context
	do               func(*http.Request) (*http.Response, error)
	refused, fail    func(w http.ResponseWriter, status int, message string)
	relay            func(out, *http.Request, io.Reader) error // an error breaks the answer off
	stop             func(*http.Server) error
}

func main() {
	none := func(net.Conn) {}
	s := &server{maxBody: 16 << 20, accepted: none, dialed: none, parse: parse, fail: fail, relay: relay, refused: nil,
		context: func(ctx context.Context) context.Context { return ctx },
		stop:    func(h *http.Server) error { return h.Shutdown(context.Background()) }}
	s.transport = &http.Transport{MaxIdleConnsPerHost: 1024, DisableCompression: true,
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
	h := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: mux,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { s.accepted(c); return ctx }}
	go func() { log.Print(h.ListenAndServe()) }()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	<-ctx.Done()
	if err := s.stop(h); err != nil {
		log.Fatal(err)
	}
}

func (s *server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.maxBody))
	message, ok := s.parse(body)
	if err != nil || !ok {
		s.fail(w, 400, `want {"message": "..."}`)
		return
	}
	ask, _ := json.Marshal(map[string]any{"model": "stub", "stream": true, "messages": []any{map[string]string{"role": "user", "content": message}}})
	req, _ := http.NewRequestWithContext(s.context(r.Context()), "POST", os.Getenv("STUB_URL")+"/chat/completions", bytes.NewReader(ask))
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
	w.Header().Set("Content-Type", "text/event-stream")
	if !s.late {
		o.Flush()
	}
	if s.relay(o, r, upstream.Body) != nil {
		panic(http.ErrAbortHandler)
	}
}

func parse(body []byte) (string, bool) {
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

// pump gives do what body has, as it comes.
func pump(body io.Reader, do func([]byte) error) error {
	buf := make([]byte, 8<<10)
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

// What follows is wrong.

func collect(o out, _ *http.Request, body io.Reader) error {
	all, err := io.ReadAll(body)
	return errors.Join(o.send(all), err)
}

func measure(o out, _ *http.Request, body io.Reader) error {
	all, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	o.Header().Set("Content-Length", strconv.Itoa(len(all)))
	return o.send(all)
}

func fill4k(o out, _ *http.Request, body io.Reader) error {
	w := bufio.NewWriterSize(o, 4<<10)
	err := pump(body, func(b []byte) error { _, err := w.Write(b); return err })
	return errors.Join(w.Flush(), err)
}

func coalesce(o out, _ *http.Request, body io.Reader) error {
	var mu sync.Mutex
	var held []byte
	flush := func() (err error) {
		mu.Lock()
		defer mu.Unlock()
		if len(held) > 0 {
			err = o.send(held)
		}
		held = held[:0]
		return err
	}
	err := pump(body, func(b []byte) error {
		mu.Lock()
		defer mu.Unlock()
		if len(held) == 0 {
			time.AfterFunc(5*time.Millisecond, func() { flush() })
		}
		held = append(held, b...)
		return nil
	})
	return errors.Join(flush(), err)
}

func compress(o out, r *http.Request, body io.Reader) error {
	if r.Header.Get("Accept-Encoding") == "" {
		return relay(o, r, body)
	}
	z := gzip.NewWriter(o)
	defer z.Close()
	return pump(body, func(b []byte) error { _, err := z.Write(b); return err })
}

func scan(o out, _ *http.Request, body io.Reader) error {
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		if err := o.send(append(lines.Bytes(), '\n')); err != nil {
			return err
		}
	}
	return lines.Err()
}

func decode(o out, _ *http.Request, body io.Reader) error {
	return pump(body, func(b []byte) error { return o.send(bytes.ToValidUTF8(b, []byte("\ufffd"))) })
}

func dropSeventh(o out, _ *http.Request, body io.Reader) error {
	for lines, content := bufio.NewReader(body), 0; ; {
		line, err := lines.ReadBytes('\n')
		token := bytes.Contains(line, []byte(`"delta":{"content":`))
		if token {
			content++
		}
		if content%7 > 0 || content == 0 || len(line) > 2 && !token {
			if e := o.send(line); e != nil {
				return e
			}
		}
		if err != nil {
			return unlessEOF(err)
		}
	}
}

func alwaysDone(o out, _ *http.Request, body io.Reader) error {
	var all []byte
	pump(body, func(b []byte) error { all = append(all, b...); return o.send(b) })
	if bytes.Contains(all, []byte("data: [DONE]")) {
		return nil
	}
	return o.send([]byte("data: [DONE]\n\n"))
}

func queue(o out, _ *http.Request, body io.Reader) (err error) {
	var mu sync.Mutex
	var held []byte
	more := make(chan bool, 1)
	go func() {
		defer close(more)
		err = pump(body, func(b []byte) error {
			mu.Lock()
			held = append(held, b...)
			mu.Unlock()
			select {
			case more <- true:
			default:
			}
			return nil
		})
	}()
	for range more {
		mu.Lock()
		b := held
		held = nil
		mu.Unlock()
		if e := o.send(b); e != nil {
			return e
		}
	}
	return err
}

func readOn(o out, _ *http.Request, body io.Reader) error {
	return pump(body, func(b []byte) error { o.send(b); return nil })
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

func nagle(c net.Conn) { c.(*net.TCPConn).SetNoDelay(false) }

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
	return parse(body)
}
