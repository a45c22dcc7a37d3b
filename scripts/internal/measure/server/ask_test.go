package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// What init proposes for a running server is what two of its answers have in common, and is a valid server.json.
func TestRequestsOfARunningServer(t *testing.T) {
	var n atomic.Int64
	answer := func(kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, strings.ReplaceAll(body, "COUNT", fmt.Sprint(n.Add(1)))) // Ask sees a fault
		}
	}
	routes := http.NewServeMux()
	routes.Handle("/hello", answer("text/plain; charset=utf-8", "hello <b>"))
	routes.Handle("/time", answer("text/plain", "it is COUNT"))
	routes.Handle("/user", answer("application/json", `{"id": 7, "seen": COUNT, "tags": ["a", "b"], "log": [{"at": COUNT, "by": "ann"}], "none": null}`))
	routes.Handle("/list", answer("application/json", `[COUNT]`))
	routes.Handle("/large", answer("application/json", `{"text": "`+strings.Repeat("x", mostJSON)+`"}`))
	routes.Handle("/problem", answer("application/problem+json", `{"title": "no"}`))
	routes.Handle("/broken", answer("application/json", `{"id": `))
	routes.Handle("/long", answer("text/html", strings.Repeat("x", 1000)))
	routes.Handle("/picture", answer("image/png", "\xff\xfe"))
	routes.Handle("/ticks", answer("text/event-stream; charset=utf-8", "data: a\n\n"))
	server := httptest.NewServer(routes)
	defer server.Close()
	var urls, want []string
	for _, c := range [][2]string{
		{"/hello", `{"path":"/hello","answer":{"text":"hello <b>"}}`},
		{"/time?at=1", `{"path":"/time?at=1"}`},
		{"/user", `{"path":"/user","answer":{"json":{"id":7,"log":[{"by":"ann"}],"none":null,"tags":["a","b"]}}}`},
		{"/list", `{"path":"/list"}`},
		{"/large", `{"path":"/large"}`},
		{"/problem", `{"path":"/problem","answer":{"json":{"title":"no"}}}`},
		{"/broken", `{"path":"/broken"}`},
		{"/long", `{"path":"/long","answer":{"sha256":`},
		{"/picture", `{"path":"/picture","answer":{"sha256":`},
		{"/ticks", `{"path":"/ticks","answer":{"stream":{}}}`},
		{"/nowhere", `{"path":"/nowhere","answer":{"status":404,"text":"404 page not found\n"}}`},
	} {
		urls, want = append(urls, server.URL+c[0]), append(want, c[1])
	}
	got, notes, err := Ask(t.Context(), urls)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if hashed := strings.HasSuffix(want[i], ":"); got[i] != want[i] && !(hashed && strings.HasPrefix(got[i], want[i])) {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
	for i, want := range []string{
		"GET /time?at=1: its two answers differ, ", "GET /list: its two answers have nothing in common, ", "GET /large: its answer has more than 1000 bytes, ", "GET /broken: ",
	} {
		if len(notes) != 4 || !strings.HasPrefix(notes[i], want) {
			t.Errorf("notes %q, want %q", notes, want)
		}
	}
	draft := Draft{Language: "go", Framework: "none", Build: []string{"true"}, Run: []string{"true"}, Versions: map[string][]string{"go": {"go"}}, Requests: got}
	if s, err := Parse(draft.JSON("http"), t.TempDir()); err != nil || len(s.Declared.Requests) != len(urls) {
		t.Errorf("%v\n%s", err, draft.JSON("http"))
	}
}

func TestServersThatCannotBeAsked(t *testing.T) {
	free := httptest.NewServer(http.NotFoundHandler())
	free.Close() // nobody listens there any more
	for url, want := range map[string]string{
		"http://example.test/":       "want the URL of a server that runs on this machine, such as",
		"https://127.0.0.1/":         "want the URL of a server that runs on this machine",
		"/users":                     "want the URL of a server that runs on this machine",
		"http://127.0.0.1:99999999/": "99999999",
		free.URL + "/":               "connection refused; start the server, and check the port and the path",
	} {
		if got, _, err := Ask(t.Context(), []string{url}); err == nil || !strings.Contains(err.Error(), want) || slices.Contains(got, url) {
			t.Errorf("%s: %q, %v; want %q", url, got, err, want)
		}
	}
}
