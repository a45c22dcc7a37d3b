package http1

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// A Field is a header line.
type Field struct{ Name, Value string }

// Check returns an error unless the field can be a header line of a request. A request has its own
// framing.
func (f Field) Check() error {
	if f.Name == "" || strings.ContainsAny(f.Name, "\r\n: ") || strings.ContainsAny(f.Value, "\r\n") {
		return fmt.Errorf("%q: %q is not a header line", f.Name, f.Value)
	}
	switch strings.ToLower(f.Name) {
	case "content-length", "host", "transfer-encoding", "connection":
		return fmt.Errorf("%s: the client sets it itself", f.Name)
	}
	return nil
}

// Request renders a request. Methods without a body have no Content-Length, unless there is a body.
func Request(method string, u *url.URL, fields []Field, body string) []byte {
	b := fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, u.RequestURI(), u.Host)
	for _, f := range fields {
		if f.Value != "" {
			b = fmt.Appendf(b, "%s: %s\r\n", f.Name, f.Value)
		}
	}
	if body != "" || method != "GET" && method != "HEAD" {
		b = fmt.Appendf(b, "Content-Length: %d\r\n", len(body))
	}
	return append(append(b, "\r\n"...), body...)
}

// Timeout reads a timeout in milliseconds.
func Timeout(ms float64) (time.Duration, error) {
	if !(ms > 0 && ms <= 24*3600*1000) {
		return 0, fmt.Errorf("timeout_ms: %v: want a number over 0, and at most a day", ms)
	}
	return time.Duration(ms * float64(time.Millisecond)), nil
}
