package serve

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

func TestHandler(t *testing.T) {
	page, raw := strings.Repeat("<p>some text</p>", 100), "\x1f\x8bzipped already"
	server := httptest.NewServer(Handler(fstest.MapFS{
		"index.html": {Data: []byte(page)}, "trend/index.html": {Data: []byte(page)}, "data/a.json": {Data: []byte(page)}, "runs/a.jsonl.gz": {Data: []byte(raw)},
	}))
	defer server.Close()
	for _, of := range []struct {
		method, path, accept string
		status               int
		encoding, body       string
	}{
		{"GET", "/", "gzip, br", 200, "gzip", page},
		{"GET", "/trend/?sc=steady", "gzip", 200, "gzip", page},
		{"GET", "/data/a.json", "", 200, "", page},
		{"GET", "/data/a.json", "gzip", 200, "gzip", page},
		{"HEAD", "/data/a.json", "gzip", 200, "gzip", ""},
		{"GET", "/runs/a.jsonl.gz", "gzip", 200, "", raw},
		{"GET", "/data/", "gzip", 404, "", "404 page not found\n"},
		{"GET", "/none.json", "gzip", 404, "", "404 page not found\n"},
		{"GET", "/../../etc/passwd", "gzip", 404, "", "404 page not found\n"},
		{"POST", "/", "", 405, "", "want GET or HEAD\n"},
	} {
		t.Run(of.method+of.path+of.accept, func(t *testing.T) {
			r, err := http.NewRequest(of.method, server.URL+of.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", of.accept) // set, so that the client leaves the body as it is
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			var body io.Reader = answer.Body
			if answer.Header.Get("Content-Encoding") == "gzip" && of.method == "GET" {
				if body, err = gzip.NewReader(body); err != nil {
					t.Fatal(err)
				}
			}
			got, err := io.ReadAll(body)
			if err != nil || string(got) != of.body || answer.StatusCode != of.status || answer.Header.Get("Content-Encoding") != of.encoding {
				t.Errorf("status %d, encoding %q, %d bytes, %v", answer.StatusCode, answer.Header.Get("Content-Encoding"), len(got), err)
			}
			if answer.StatusCode == 200 && answer.Header.Get("Cache-Control") != "max-age=600" {
				t.Errorf("Cache-Control %q", answer.Header.Get("Cache-Control"))
			}
		})
	}
	// Of what is compressed there are no parts.
	r, _ := http.NewRequest("GET", server.URL+"/data/a.json", nil)
	r.Header.Set("Range", "bytes=5-9")
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode != 200 {
		t.Errorf("a range of what is compressed: %v, %v", answer, err)
	}
	answer.Body.Close()
}
