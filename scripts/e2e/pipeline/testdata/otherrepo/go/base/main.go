// shop passes a model's answer on to its customers.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"example.org/shop/customers"
)

var model = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1024, DisableCompression: true}}

func main() {
	http.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("POST /chat", chat)
	server := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT")}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	ended := make(chan error)
	go func() {
		<-ctx.Done()
		ended <- server.Shutdown(context.Background())
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
	if err := <-ended; err != nil {
		log.Fatal(err)
	}
}

func chat(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<20))
	var in struct{ Message *string }
	if err != nil || json.Unmarshal(text, &in) != nil || in.Message == nil {
		fail(w, http.StatusBadRequest, "want a message")
		return
	}
	customers.Look()
	asked, err := json.Marshal(map[string]any{"model": "stub", "stream": true, "messages": []any{map[string]string{"role": "user", "content": *in.Message}}})
	if err != nil {
		log.Fatal(err) // texts always encode
	}
	ask, err := http.NewRequestWithContext(r.Context(), "POST", os.Getenv("STUB_URL")+"/chat/completions", bytes.NewReader(asked))
	if err != nil {
		fail(w, http.StatusBadGateway, "no model")
		return
	}
	ask.Header.Set("Content-Type", "application/json")
	answer, err := model.Do(ask)
	if err != nil {
		fail(w, http.StatusBadGateway, "no model")
		return
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		fail(w, http.StatusBadGateway, "the model failed")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	pass(w, answer.Body)
}

func fail(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"error": why}) // the customer may have left
}

// pass passes on each event as it comes.
func pass(w http.ResponseWriter, events io.Reader) {
	out, part := http.NewResponseController(w), make([]byte, 8<<10)
	for out.Flush() == nil { // it fails when the customer has left
		n, err := events.Read(part)
		if _, gone := w.Write(part[:n]); gone != nil || err == io.EOF {
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler) // the answer must not look complete
		}
	}
}
