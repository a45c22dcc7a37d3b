// go-gin: Gin, which routes on the standard library's server.
//
// Idiomatic here: a handler copies what it reads to c.Writer and flushes after each read. The upstream
// request has c.Request.Context(), so it ends when the client leaves. Client: net/http.
//
// Settings that are not the default:
//   - gin.New without Recovery: Recovery keeps http.ErrAbortHandler from net/http,
//     and a stream that was cut would end like a whole one; net/http itself
//     survives a handler's panic. https://pkg.go.dev/net/http#ErrAbortHandler
//     https://github.com/gin-gonic/gin/blob/v1.12.0/recovery.go
//   - gin.ReleaseMode: debug mode prints routes and warnings.
//     https://pkg.go.dev/github.com/gin-gonic/gin#SetMode
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

	"github.com/gin-gonic/gin"
)

const maxBody = 16 << 20 // bytes of a request

var client = &http.Client{Transport: &http.Transport{
	MaxIdleConnsPerHost: 1024,
	IdleConnTimeout:     90 * time.Second,
	DisableCompression:  true,
}}

func main() {
	chatURL := os.Getenv("STUB_URL") + "/chat/completions"
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.GET("/healthz", func(c *gin.Context) { c.Status(http.StatusOK) })
	router.POST("/chat", func(c *gin.Context) { chat(c, chatURL) })
	server := &http.Server{Addr: os.Getenv("HOST") + ":" + os.Getenv("PORT"), Handler: router, ReadHeaderTimeout: 10 * time.Second}

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

func chat(c *gin.Context, chatURL string) {
	var in struct {
		Message *string `json:"message"`
	}
	// The whole body and Unmarshal, not ShouldBindJSON, which stops after the
	// first value: net/http watches for the client's leaving only once the body
	// was read to its end.
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, maxBody)
	body, err := c.GetRawData()
	if err != nil {
		fail(c, http.StatusBadRequest, "body: "+err.Error())
		return
	}
	if err := json.Unmarshal(body, &in); err != nil || in.Message == nil {
		fail(c, http.StatusBadRequest, `want {"message": "..."}`)
		return
	}

	upstream, err := ask(c.Request.Context(), chatURL, *in.Message)
	if err != nil {
		fail(c, http.StatusBadGateway, err.Error())
		return
	}
	defer upstream.Body.Close()
	if upstream.StatusCode != http.StatusOK || !strings.HasPrefix(upstream.Header.Get("Content-Type"), "text/event-stream") {
		fail(c, http.StatusBadGateway, "upstream: "+upstream.Status)
		return
	}
	relay(c, upstream)
}

func ask(ctx context.Context, url, message string) (*http.Response, error) {
	body, err := json.Marshal(gin.H{
		"model":    "stub",
		"stream":   true,
		"messages": []gin.H{{"role": "user", "content": message}},
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

func relay(c *gin.Context, upstream *http.Response) {
	c.Header("Content-Type", "text/event-stream")
	c.Header("Cache-Control", "no-cache")
	c.Writer.Flush() // the header does not wait for the first event
	buf := make([]byte, 8<<10)
	for {
		n, err := upstream.Body.Read(buf)
		if n > 0 {
			if _, werr := c.Writer.Write(buf[:n]); werr != nil {
				return // the client has left
			}
			c.Writer.Flush()
		}
		if err != nil {
			if err != io.EOF {
				panic(http.ErrAbortHandler) // upstream was cut: the client must not see a clean end
			}
			return
		}
	}
}

func fail(c *gin.Context, status int, message string) {
	c.JSON(status, gin.H{"error": message})
}
