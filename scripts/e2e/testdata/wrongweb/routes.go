package main

import (
	"fmt"
	"net/http"
)

func headIs404(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == "HEAD" {
		http.NotFound(w, r)
		return true
	}
	return false
}

// headWithBody answers HEAD as GET, and closes the connection.
func headWithBody(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != "HEAD" {
		return false
	}
	c, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return false
	}
	fmt.Fprint(buffered, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi")
	buffered.Flush()
	c.Close()
	return true
}

func asAnyMethod(_ http.ResponseWriter, r *http.Request) bool {
	r.Method = "GET"
	if r.URL.Path == "/json" {
		r.Method = "POST"
	}
	return false
}

func lengthOnly(w http.ResponseWriter, r *http.Request) bool {
	if r.ContentLength >= 0 {
		return false
	}
	http.Error(w, "want Content-Length", 411)
	return true
}

func logEach(_ http.ResponseWriter, r *http.Request) bool {
	fmt.Println(r.Method, r.URL)
	return false
}
