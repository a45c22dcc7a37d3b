package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// floodTokens sends one token of the upstream for ever.
func floodTokens(o out, _ *http.Request, body io.Reader) error {
	return pump(body, func(b []byte) error {
		for _, event := range bytes.SplitAfter(b, []byte("\n\n")) {
			for bytes.Contains(event, []byte(`"delta":{"content":`)) {
				if err := o.send(event); err != nil {
					return err
				}
			}
		}
		return o.send(b)
	})
}

func floodBody(o out, _ *http.Request, _ io.Reader) error {
	for long := bytes.Repeat([]byte("."), readSize); ; {
		if err := o.send(long); err != nil {
			return err
		}
	}
}

func floodAfterDone(o out, r *http.Request, body io.Reader) error {
	if err := relay(o, r, body); err != nil {
		return err
	}
	return floodBody(o, r, body)
}

func floodHead(n int64, w http.ResponseWriter, _ *http.Request) bool {
	if n <= warm {
		return false
	}
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return false
	}
	defer c.Close()
	fmt.Fprint(c, "HTTP/1.1 200 OK\r\n")
	for err == nil {
		_, err = fmt.Fprintf(c, "X-Field: %0100d\r\n", 0)
	}
	return true
}
