// go-http: the standard library alone.
//
// Idiomatic here: patterns of http.ServeMux with a method and a wildcard. The mux matches the encoded path, so
// an ID may contain %2F. It answers HEAD by itself, and other methods with 405.
//
// Settings that are not the default:
//   - Server.ReadHeaderTimeout: net/http has no default and asks for one. https://pkg.go.dev/net/http#Server
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const maxBody = 2 << 20 // bytes of a request

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /{$}", hi)
	mux.HandleFunc("GET /id/{id}", id)
	mux.HandleFunc("POST /json", echo)
	mux.HandleFunc("GET /data", data)
	server := &http.Server{Addr: os.Getenv("HOST") + ":" + os.Getenv("PORT"), Handler: mux, ReadHeaderTimeout: 10 * time.Second}

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	finished := make(chan error)
	go func() {
		<-ctx.Done()
		patience, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		finished <- server.Shutdown(patience) // waits for open answers
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
	// A request that did not arrive whole in this time is not answered.
	if err := <-finished; err != nil && err != context.DeadlineExceeded {
		log.Fatal(err)
	}
}

func hi(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	io.WriteString(w, "hi") // the client may have left
}

func id(w http.ResponseWriter, r *http.Request) {
	text := r.PathValue("id")
	if query := r.URL.Query(); query.Has("name") {
		text += " " + query.Get("name")
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("X-Powered-By", "benchmark")
	io.WriteString(w, text) // as above
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		status := http.StatusBadRequest
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, err.Error(), status)
		return
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(answer) // as above
}

func data(w http.ResponseWriter, _ *http.Request) {
	content, err := os.ReadFile("data.json")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(content) // as above
}
