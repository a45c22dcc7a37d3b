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
//   - Transport.DisableCompression: a stream of small events is not to be
//     compressed and inflated on the way. https://pkg.go.dev/net/http#Transport
//   - Server.ReadHeaderTimeout: net/http has no default and asks for one.
//     A WriteTimeout is left out, since it would cut long streams. https://pkg.go.dev/net/http#Server
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
	"time"
)

const maxBody = 16 << 20 // bytes of a request

var client = &http.Client{Transport: &http.Transport{
	MaxIdleConnsPerHost: 1024,
	IdleConnTimeout:     90 * time.Second,
	DisableCompression:  true,
}}

func main() {
	chatURL := os.Getenv("STUB_URL") + "/chat/completions"
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {})
	mux.HandleFunc("POST /chat", func(w http.ResponseWriter, r *http.Request) { chat(w, r, chatURL) })
	server := &http.Server{Addr: os.Getenv("HOST") + ":" + os.Getenv("PORT"), Handler: mux, ReadHeaderTimeout: 10 * time.Second}

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	finished := make(chan error)
	go func() {
		<-ctx.Done()
		finished <- server.Shutdown(context.Background()) // waits for open streams
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
	if err := <-finished; err != nil {
		log.Fatal(err)
	}
}

func chat(w http.ResponseWriter, r *http.Request, chatURL string) {
	var in struct {
		Message *string `json:"message"`
	}
	// Unmarshal of the whole body, not a Decoder: net/http watches for the
	// client's leaving only once the body was read to its end.
	body := new(bytes.Buffer)
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody)); err != nil {
		fail(w, http.StatusBadRequest, "body: "+err.Error())
		return
	}
	if err := json.Unmarshal(body.Bytes(), &in); err != nil || in.Message == nil {
		fail(w, http.StatusBadRequest, `want {"message": "..."}`)
		return
	}

	upstream, err := ask(r.Context(), chatURL, *in.Message)
	if err != nil {
		fail(w, http.StatusBadGateway, err.Error())
		return
	}
	defer upstream.Body.Close()
	if upstream.StatusCode != http.StatusOK || !strings.HasPrefix(upstream.Header.Get("Content-Type"), "text/event-stream") {
		fail(w, http.StatusBadGateway, "upstream: "+upstream.Status)
		return
	}
	relay(w, upstream)
}

func ask(ctx context.Context, url, message string) (*http.Response, error) {
	body, err := json.Marshal(map[string]any{
		"model":    "stub",
		"stream":   true,
		"messages": []any{map[string]string{"role": "user", "content": message}},
	})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, "POST", url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	return client.Do(req)
}

func relay(w http.ResponseWriter, upstream *http.Response) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	flusher := http.NewResponseController(w)
	if flusher.Flush() != nil { // the header does not wait for the first event
		return
	}
	buf := make([]byte, 8<<10)
	for {
		n, err := upstream.Body.Read(buf)
		if n > 0 {
			if _, werr := w.Write(buf[:n]); werr != nil || flusher.Flush() != nil {
				return // the client has left
			}
		}
		if err != nil {
			if err != io.EOF {
				panic(http.ErrAbortHandler) // upstream was cut: the client must not see a clean end
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
