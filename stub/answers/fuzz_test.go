package answers

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"testing"
)

// Whatever POST /answers takes, each prepared answer is one whole answer, which has what was described.
func FuzzPrepare(f *testing.F) {
	f.Add([]byte(`[{"status": 200, "headers": {"Content-Type": "text/plain"}, "body": "hi"}, {"status": 204}, {"status": 404, "body_base64": "AAEC"}]`))
	f.Add([]byte(`[{"status": 200, "headers": {"X": "a\r\nContent-Length: 5\r\n\r\n"}}]`))
	f.Add([]byte(`[{"status": 304, "headers": {"connection": "close", "transfer-encoding": "chunked"}, "body": "x"}]`))
	f.Add([]byte(`[{"status": 200, "body": "HTTP/1.1 200 OK\r\n\r\n"}] []`))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := parse(text)
		if err != nil {
			return
		}
		for i, p := range list {
			for _, of := range []struct {
				method string
				bytes  []byte
			}{{"GET", p.whole}, {"HEAD", p.head}} {
				if err := isOneAnswer(of.method, of.bytes, len(p.whole)-len(p.head)); err != nil {
					t.Errorf("answer %d to %s: %v: %q", i, of.method, err, of.bytes)
				}
			}
		}
	})
}

// isOneAnswer reads an answer as a client does. Nothing may follow it.
func isOneAnswer(method string, text []byte, length int) error {
	in := bufio.NewReader(bytes.NewReader(text))
	r, err := http.ReadResponse(in, &http.Request{Method: method})
	if err != nil {
		return err
	}
	body, err := io.ReadAll(r.Body)
	if method == "HEAD" {
		length = 0
	}
	rest, _ := io.ReadAll(in) // of bytes in memory
	switch {
	case err != nil:
		return err
	case len(body) != length || len(rest) != 0:
		return fmt.Errorf("a body of %d bytes and %d after it; want %d and none", len(body), len(rest), length)
	case r.Close || r.TransferEncoding != nil:
		return fmt.Errorf("it ends the connection (%v), or is in chunks (%v)", r.Close, r.TransferEncoding)
	}
	return nil
}
