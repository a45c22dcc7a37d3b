package verify

import (
	"io"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/process"
)

// What never ends is left, wherever it does not end.
func TestAFloodIsLeft(t *testing.T) {
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	event := "d\r\ndata: {\"a\"}\n\n\r\n"
	for _, c := range []struct{ name, begin, again, want string }{
		{"a header", "HTTP/1.1 200 OK\r\n", "X: y\r\n", `bytes without "\r\n\r\n"`},
		{"a line of a header", "HTTP/1.1 200 OK\r\nX: ", "y", `bytes without "\r\n\r\n"`},
		{"events", chunked, event, "it sends without end"},
		{"a body without events", chunked, "1\r\nx\r\n", "it sends without end"},
		{"what comes after the end", chunked + "e\r\ndata: [DONE]\n\n\r\n", "7\r\ndata: \n\r\n", "it sends without end"},
		{"a chunk's line", chunked, ";a", `bytes without "\r\n"`},
		{"a length", "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n", "x", "it sends without end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				conn, err := listener.Accept()
				for again := strings.Repeat(c.again, 1000); err == nil; { // until the client has left
					_, err = io.WriteString(conn, c.begin+again)
					c.begin = ""
				}
			}()
			client, err := dial(listener.Addr().(*net.TCPAddr).Port)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			a, err := client.stream()
			for err == nil {
				err = a.next()
			}
			runtime.ReadMemStats(&after)
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 16*mostBytes {
				t.Errorf("it took %d MB of memory", grown>>20)
			}
			client.drain() // ends too
		})
	}
}

// A server that always sends more would keep a check for ever.
func TestACheckEndsThoughSomethingComes(t *testing.T) {
	all, limit := Checks, checkLimit
	defer func() { Checks, checkLimit = all, limit }()
	Checks = Checks[:1:1] // that it starts
	for _, check := range all {
		if check.Name == "exact" {
			Checks = append(Checks, check)
		}
	}
	for name, of := range map[string]struct {
		limit time.Duration
		want  string
	}{"drips": {3 * time.Second, "not ended after 3s, though something came again and again"}, "never-ends": {limit, "it sends without end"}} {
		checkLimit = of.limit
		server := manifest.Server{Name: name, Dir: t.TempDir(), Run: []string{wrong, name}}
		results, err := Server(t.Context(), root, filepath.Join(server.Dir, "logs"), server, process.FreePort)
		if err != nil || len(results) != 2 || !results[0].Pass || results[1].Pass || !strings.HasSuffix(results[1].Evidence, of.want) {
			t.Errorf("%s: %+v, %v; want %s", name, results, err, of.want)
		}
	}
}
