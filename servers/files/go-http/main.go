// go-http: the standard library alone.
//
// Idiomatic here: a handler copies what it reads and flushes after each read (http.ResponseController). The
// upstream request has the request's context, so it ends when the client leaves. Client: net/http.
//
// Settings that are not the default:
//   - Transport.MaxIdleConnsPerHost (default 2): all traffic goes to one host,
//     and beyond 2 every request would dial anew. https://pkg.go.dev/net/http#Transport
//   - Transport.IdleConnTimeout 90 s, as in http.DefaultTransport (default of a
//     new Transport: for ever). https://pkg.go.dev/net/http#DefaultTransport
//   - Transport.DisableCompression: a length is that of the bytes which the
//     upstream sends. https://pkg.go.dev/net/http#Transport
//   - Server.ReadHeaderTimeout: net/http has no default and asks for one.
//     A WriteTimeout is left out, since it would cut slow clients. https://pkg.go.dev/net/http#Server
package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

var client = &http.Client{Transport: &http.Transport{
	MaxIdleConnsPerHost: 1024,
	IdleConnTimeout:     90 * time.Second,
	DisableCompression:  true,
}}

func main() {
	stub := os.Getenv("STUB_URL")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {})
	mux.HandleFunc("GET /files/{name}", func(w http.ResponseWriter, r *http.Request) { file(w, r, stub) })
	server := &http.Server{Addr: os.Getenv("HOST") + ":" + os.Getenv("PORT"), Handler: mux, ReadHeaderTimeout: 10 * time.Second}

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	finished := make(chan error)
	go func() {
		<-ctx.Done()
		finished <- server.Shutdown(context.Background()) // waits for open answers
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
	if err := <-finished; err != nil {
		log.Fatal(err)
	}
}

func file(w http.ResponseWriter, r *http.Request, stub string) {
	upstream, err := ask(r, stub)
	if err != nil {
		fail(w, http.StatusBadGateway, err.Error())
		return
	}
	defer upstream.Body.Close()
	switch upstream.StatusCode {
	case http.StatusOK:
		relay(w, upstream)
	case http.StatusNotFound:
		fail(w, http.StatusNotFound, "upstream: "+upstream.Status)
	default:
		fail(w, http.StatusBadGateway, "upstream: "+upstream.Status)
	}
}

func ask(r *http.Request, stub string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(r.Context(), r.Method, stub+r.URL.EscapedPath(), nil)
	if err != nil {
		return nil, err
	}
	return client.Do(req)
}

// buffers are reused, since each answer needs one. 32 KiB is what io.Copy takes.
var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

func relay(w http.ResponseWriter, upstream *http.Response) {
	for _, name := range []string{"Content-Type", "Content-Length"} {
		if value := upstream.Header.Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}
	flusher := http.NewResponseController(w)
	buf := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(buf)
	for {
		n, err := upstream.Body.Read(buf[:])
		if n > 0 {
			if _, werr := w.Write(buf[:n]); werr != nil || flusher.Flush() != nil {
				return // the client has left
			}
		}
		if err != nil {
			if err != io.EOF {
				panic(http.ErrAbortHandler) // upstream was cut: the client must not see a whole file
			}
			return
		}
	}
}

func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"error": message}) // the client may have left
}
