package http1

import (
	"fmt"
	"net/url"
	"time"
)

// A Field is a header line.
type Field struct{ Name, Value string }

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
