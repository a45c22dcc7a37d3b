// go-fiber: Fiber, on fasthttp.
//
// Idiomatic here: the upstream's body is the response's stream (SendStream);
// fasthttp reads it, flushes after each read and closes it at the end. When it
// fails, fasthttp closes the connection without the last chunk. That a client
// has left is not told by fasthttp (https://github.com/valyala/fasthttp/issues/965),
// so watch looks. Client: net/http.
//
// Settings that are not the default:
//   - Response.ImmediateHeaderFlush: the header does not wait for the first event.
//     https://pkg.go.dev/github.com/valyala/fasthttp#Response
//   - BodyLimit 16 MiB (default 4 MiB): prompts can be long.
//     https://docs.gofiber.io/api/fiber#config
//   - ReadTimeout (default none): a connection on which no request comes would
//     hold up the shutdown. https://pkg.go.dev/github.com/gofiber/fiber/v3#App.ShutdownWithContext
//   - IdleTimeout (default ReadTimeout): between requests, clients keep their
//     connections for longer. https://docs.gofiber.io/api/fiber#config
//   - Transport.MaxIdleConnsPerHost (default 2): all traffic goes to one host,
//     and beyond 2 every request would dial anew. https://pkg.go.dev/net/http#Transport
//   - Transport.IdleConnTimeout 90 s, as in http.DefaultTransport (default of a
//     new Transport: for ever). https://pkg.go.dev/net/http#DefaultTransport
//   - Transport.DisableCompression: a stream of small events is not to be
//     compressed and inflated on the way. https://pkg.go.dev/net/http#Transport
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v3"
)

var client = &http.Client{Transport: &http.Transport{
	MaxIdleConnsPerHost: 1024,
	IdleConnTimeout:     90 * time.Second,
	DisableCompression:  true,
}}

func main() {
	chatURL := os.Getenv("STUB_URL") + "/chat/completions"
	app := fiber.New(fiber.Config{
		BodyLimit:    16 << 20,
		ReadTimeout:  10 * time.Second,
		IdleTimeout:  120 * time.Second,
		ErrorHandler: fail,
	})
	app.Get("/healthz", func(c fiber.Ctx) error { return c.SendStatus(http.StatusOK) })
	app.Post("/chat", func(c fiber.Ctx) error { return chat(c, chatURL) })

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	finished := make(chan error)
	go func() {
		<-ctx.Done()
		finished <- app.ShutdownWithContext(context.Background()) // waits for open streams
	}()
	if err := app.Listen(os.Getenv("HOST")+":"+os.Getenv("PORT"), fiber.ListenConfig{DisableStartupMessage: true}); err != nil {
		log.Fatal(err)
	}
	if err := <-finished; err != nil {
		log.Fatal(err)
	}
}

func chat(c fiber.Ctx, chatURL string) error {
	var in struct {
		Message *string `json:"message"`
	}
	if err := c.Bind().JSON(&in); err != nil || in.Message == nil {
		return fiber.NewError(http.StatusBadRequest, `want {"message": "..."}`)
	}

	ctx, release := watch(c)
	upstream, err := ask(ctx, chatURL, *in.Message)
	if err != nil {
		release()
		return fiber.NewError(http.StatusBadGateway, err.Error())
	}
	answer := stream{upstream.Body, release}
	if upstream.StatusCode != http.StatusOK || !strings.HasPrefix(upstream.Header.Get("Content-Type"), "text/event-stream") {
		answer.Close() // it was only read
		return fiber.NewError(http.StatusBadGateway, "upstream: "+upstream.Status)
	}
	c.Set("Content-Type", "text/event-stream")
	c.Set("Cache-Control", "no-cache")
	c.Response().ImmediateHeaderFlush = true
	return c.SendStream(answer)
}

func ask(ctx context.Context, url, message string) (*http.Response, error) {
	body, err := json.Marshal(fiber.Map{
		"model":    "stub",
		"stream":   true,
		"messages": []fiber.Map{{"role": "user", "content": message}},
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

// A stream is the upstream's body, with the watch over its client.
type stream struct {
	io.ReadCloser
	release func()
}

func (s stream) Close() error {
	s.release()
	return s.ReadCloser.Close()
}

// watch returns a context that ends when the client leaves. fasthttp does not read a connection while it
// answers, so another reader has room until release. It only peeks, since a byte would belong to the next
// request. It waits in the runtime's poller: false means that there is nothing yet.
func watch(c fiber.Ctx) (ctx context.Context, release func()) {
	ctx, leave := context.WithCancel(context.Background())
	conn := c.RequestCtx().Conn().(*net.TCPConn)
	conn.SetReadDeadline(time.Time{}) // there was one for reading the request
	socket, _ := conn.SyscallConn()   // fails on nil only
	done := make(chan struct{})
	go func() {
		defer close(done)
		socket.Read(func(fd uintptr) bool { // fails on a closed connection, and when the wait is ended
			n, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK)
			if err == syscall.EAGAIN {
				return false
			}
			if n <= 0 {
				leave()
			}
			return true
		})
	}()
	return ctx, func() {
		conn.SetReadDeadline(time.Unix(1, 0)) // in the past: ends the wait
		<-done
		conn.SetReadDeadline(time.Time{}) // fails on a closed connection alone
		leave()
	}
}

func fail(c fiber.Ctx, err error) error {
	status := http.StatusInternalServerError
	if e, ok := errors.AsType[*fiber.Error](err); ok {
		status = e.Code
	}
	return c.Status(status).JSON(fiber.Map{"error": err.Error()})
}
