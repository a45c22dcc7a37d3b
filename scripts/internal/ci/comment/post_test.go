package comment

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/github"
)

// comments is a GitHub with the comments of one pull request.
type comments struct {
	list  []github.Comment
	calls []string
}

func (c *comments) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var sent struct{ Body string }
	if r.Method != "GET" {
		c.calls = append(c.calls, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/repos/acme/fairstream"))
		json.NewDecoder(r.Body).Decode(&sent) // other text gives no body, and the test sees that
	}
	switch r.Method {
	case "GET":
		var page int
		fmt.Sscan(r.URL.Query().Get("page"), &page) // else the first
		from := min((page-1)*100, len(c.list))
		json.NewEncoder(w).Encode(c.list[from:min(from+100, len(c.list))])
	case "POST":
		c.list = append(c.list, github.Comment{ID: int64(len(c.list) + 1), Body: sent.Body, User: github.User{Login: author}})
		w.WriteHeader(http.StatusCreated)
	case "PATCH":
		for i := range c.list {
			if strings.HasSuffix(r.URL.Path, fmt.Sprintf("/comments/%d", c.list[i].ID)) {
				c.list[i].Body = sent.Body
			}
		}
	}
}

func TestThereIsOneCommentAndItIsOurs(t *testing.T) {
	gh := &comments{}
	for i := range 150 { // more than a page
		gh.list = append(gh.list, github.Comment{ID: int64(i + 1), Body: "hello", User: github.User{Login: "someone"}})
	}
	gh.list[3].Body = marker + "\nforged"
	gh.list[4] = github.Comment{ID: 5, Body: "another workflow's " + marker, User: github.User{Login: author}}
	server := httptest.NewServer(gh)
	defer server.Close()
	client := github.Client{API: server.URL, Repository: "acme/fairstream"}
	for _, p := range []struct{ revision, body string }{
		{"aaa", marker + "\nplaceholder"},
		{"aaa", answered("aaa") + "\nanswer"},
		{"aaa", marker + "\na placeholder that must not replace it"},
		{"aaa", answered("aaa") + "\nanother answer"},
		{"bbb", marker + "\nplaceholder of what is newer"},
		{"bbb", answered("bbb") + "\nlast answer"},
	} {
		if err := Post(t.Context(), client, 7, p.revision, p.body); err != nil {
			t.Fatal(err)
		}
	}
	edit := "PATCH /issues/comments/151"
	want := []string{"POST /issues/7/comments", edit, edit, edit, edit}
	if !reflect.DeepEqual(gh.calls, want) {
		t.Errorf("calls %q, want %q", gh.calls, want)
	}
	if last := gh.list[len(gh.list)-1]; len(gh.list) != 151 || last.Body != answered("bbb")+"\nlast answer" || gh.list[3].Body != marker+"\nforged" {
		t.Errorf("%d comments, the last %q", len(gh.list), last.Body)
	}
}
