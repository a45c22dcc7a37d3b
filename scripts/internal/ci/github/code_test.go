package github

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// A file that is not there is none; GitHub out of order is an error.
func TestFilesAndMergeBases(t *testing.T) {
	text := base64.StdEncoding.EncodeToString([]byte("hello"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.EscapedPath() + "?" + r.URL.RawQuery {
		case "/repos/a/b/contents/my%20dir/server.json?ref=abc":
			fmt.Fprintf(w, `{"content": "%s\n%s\n"}`, text[:4], text[4:]) // the client sees a fault
		case "/repos/a/b/compare/release%2F1...abc?per_page=1":
			fmt.Fprint(w, `{"merge_base_commit": {"sha": "def"}}`) // the client sees a fault
		case "/repos/a/b/contents/secret?ref=abc":
			w.WriteHeader(http.StatusForbidden)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	c := Client{API: server.URL, Repository: "a/b"}
	if got, err := c.File(t.Context(), "abc", "my dir/server.json"); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := c.File(t.Context(), "abc", "none"); err != nil || got != nil {
		t.Errorf("no file: %q, %v", got, err)
	}
	if got, err := c.File(t.Context(), "abc", "secret"); err == nil {
		t.Errorf("forbidden: %q", got)
	}
	if got, err := c.MergeBase(t.Context(), "release/1", "abc"); err != nil || got != "def" {
		t.Errorf("merge base %q, %v", got, err)
	}
	if _, err := c.MergeBase(t.Context(), "nowhere", "abc"); err == nil {
		t.Error("an unknown branch has a merge base")
	}
}
