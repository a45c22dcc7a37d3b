package verify

import (
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
)

// What never ends is left, wherever it does not end.
func TestAFloodIsLeft(t *testing.T) {
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	event := "d\r\ndata: {\"a\"}\n\n\r\n"
	for _, c := range []struct{ name, begin, again, want string }{
		{"a header", "HTTP/1.1 200 OK\r\n", "X: y\r\n", `bytes without "\r\n\r\n"`},
		{"a line of a header", "HTTP/1.1 200 OK\r\nX: ", "y", `bytes without "\r\n\r\n"`},
		{"events", chunked, event, "the answer never ends"},
		{"a body without events", chunked, "1\r\nx\r\n", "the answer never ends"},
		{"what comes after the end", chunked + "e\r\ndata: [DONE]\n\n\r\n", "7\r\ndata: \n\r\n", "the answer never ends"},
		{"a chunk's line", chunked, ";a", `bytes without "\r\n"`},
		{"a length", "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n", "x", "the answer never ends"},
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
			client, err := Dial(listener.Addr().(*net.TCPAddr).Port)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			a, err := client.Head()
			if err == nil {
				err = a.Rest()
			}
			runtime.ReadMemStats(&after)
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 16*mostBytes {
				t.Errorf("it took %d MB of memory", grown>>20)
			}
			client.Drain() // ends too
		})
	}
}
