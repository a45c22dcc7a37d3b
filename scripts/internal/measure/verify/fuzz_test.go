package verify

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"testing"
)

// Whatever a server answers is read to an end, and a body that net/http reads to
// its end too is the same.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nf;a=b\r\ndata: {\"a\":1}\n\n\r\n0\r\n\r\n"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
	f.Add([]byte("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffff\r\n"))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { listener.Close() })
	f.Fuzz(func(t *testing.T, wire []byte) {
		go func() {
			conn, err := listener.Accept()
			if err == nil {
				conn.Write(wire)                 // the client may have left
				conn.(*net.TCPConn).CloseWrite() // as above
				io.Copy(io.Discard, conn)        // no reset before all was read
				conn.Close()
			}
		}()
		c, err := Dial(listener.Addr().(*net.TCPAddr).Port)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		a, err := c.Head()
		if err == nil {
			err = a.Rest()
		}
		if IsSilence(err) {
			t.Fatalf("%q: %v", wire, err)
		}
		if err != nil || a.Status != 200 {
			return
		}
		r, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(wire)), nil)
		if err != nil {
			return
		}
		if body, err := io.ReadAll(r.Body); err == nil && !bytes.Equal(body, a.Body) {
			t.Errorf("%q: body %q; net/http reads %q", wire, a.Body, body)
		}
	})
}
