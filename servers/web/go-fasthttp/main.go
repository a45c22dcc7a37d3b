// go-fasthttp: valyala/fasthttp.
//
// Idiomatic here: one handler that switches on the path, since fasthttp has no router. The ID comes from the
// original path: fasthttp's own path is decoded, so %2F in an ID would look like a slash. JSON: encoding/json.
//
// Settings that are not the default:
//   - MaxRequestBodySize 2 MiB (default 4 MiB), as the other servers.
//     https://pkg.go.dev/github.com/valyala/fasthttp#Server
//   - ErrorHandler (default 400 for most errors): a body that is too large is 413.
//     https://pkg.go.dev/github.com/valyala/fasthttp#Server
//   - ReadTimeout (default none): fasthttp asks for one, since a client may never finish its request.
//     https://pkg.go.dev/github.com/valyala/fasthttp#Server.Shutdown
//   - IdleTimeout (default ReadTimeout): between requests, clients keep their connections for longer.
//     https://pkg.go.dev/github.com/valyala/fasthttp#Server
//   - Logger (default standard error): it gets a line for each request that cannot be read.
//     https://pkg.go.dev/github.com/valyala/fasthttp#Server
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"
)

func main() {
	server := &fasthttp.Server{
		Handler:            route,
		ErrorHandler:       unread,
		MaxRequestBodySize: 2 << 20,
		ReadTimeout:        10 * time.Second,
		IdleTimeout:        120 * time.Second,
		Logger:             log.New(io.Discard, "", 0),
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	finished := make(chan error)
	go func() {
		<-ctx.Done()
		patience, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		finished <- server.ShutdownWithContext(patience) // waits for open answers
	}()
	if err := server.ListenAndServe(os.Getenv("HOST") + ":" + os.Getenv("PORT")); err != nil {
		log.Fatal(err)
	}
	// A request that did not arrive whole in this time is not answered.
	if err := <-finished; err != nil && err != context.DeadlineExceeded {
		log.Fatal(err)
	}
}

func route(ctx *fasthttp.RequestCtx) {
	path := string(ctx.URI().PathOriginal())
	switch escaped, isID := strings.CutPrefix(path, "/id/"); {
	case path == "/healthz":
		on(ctx, func(*fasthttp.RequestCtx) {}, fasthttp.MethodGet, fasthttp.MethodHead)
	case path == "/":
		on(ctx, hi, fasthttp.MethodGet, fasthttp.MethodHead)
	case isID && escaped != "" && !strings.Contains(escaped, "/"):
		on(ctx, func(ctx *fasthttp.RequestCtx) { id(ctx, escaped) }, fasthttp.MethodGet, fasthttp.MethodHead)
	case path == "/json":
		on(ctx, echo, fasthttp.MethodPost)
	case path == "/data":
		on(ctx, data, fasthttp.MethodGet, fasthttp.MethodHead)
	default:
		ctx.Error("not found", fasthttp.StatusNotFound)
	}
}

// unread answers a request that could not be read.
func unread(ctx *fasthttp.RequestCtx, err error) {
	status := fasthttp.StatusBadRequest
	if errors.Is(err, fasthttp.ErrBodyTooLarge) {
		status = fasthttp.StatusRequestEntityTooLarge
	}
	ctx.Error(err.Error(), status)
}

// on answers requests with one of the methods.
func on(ctx *fasthttp.RequestCtx, handler fasthttp.RequestHandler, methods ...string) {
	for _, method := range methods {
		if string(ctx.Method()) == method {
			handler(ctx)
			return
		}
	}
	ctx.Error("method not allowed", fasthttp.StatusMethodNotAllowed)
	ctx.Response.Header.Set("Allow", strings.Join(methods, ", "))
}

func hi(ctx *fasthttp.RequestCtx) {
	ctx.SuccessString("text/plain", "hi")
}

func id(ctx *fasthttp.RequestCtx, escaped string) {
	text, err := url.PathUnescape(escaped)
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusBadRequest)
		return
	}
	if query := ctx.QueryArgs(); query.Has("name") {
		text += " " + string(query.Peek("name"))
	}
	ctx.Response.Header.Set("X-Powered-By", "benchmark")
	ctx.SuccessString("text/plain", text)
}

func echo(ctx *fasthttp.RequestCtx) {
	var value any
	if err := json.Unmarshal(ctx.PostBody(), &value); err != nil {
		ctx.Error(err.Error(), fasthttp.StatusBadRequest)
		return
	}
	answer, err := json.Marshal(value)
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	ctx.Success("application/json", answer)
}

func data(ctx *fasthttp.RequestCtx) {
	content, err := os.ReadFile("data.json")
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	ctx.Success("application/json", content)
}
