package alert

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/github"
)

// issues is a GitHub with issues, newest first, and what was written to it.
type issues struct {
	list   []github.Issue
	writes []string
}

func (g *issues) client(t *testing.T) github.Client {
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	return github.Client{API: server.URL, Repository: "acme/fairstream"}
}

func (g *issues) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, "/repos/acme/fairstream")
	var sent struct{ Title, Body string }
	if r.Method != "GET" {
		g.writes = append(g.writes, r.Method+" "+path)
		json.NewDecoder(r.Body).Decode(&sent) // other bytes have no body, which the test notices
	}
	switch {
	case r.Method == "GET":
		var page int
		fmt.Sscan(r.URL.Query().Get("page"), &page) // else the first
		from := min((page-1)*100, len(g.list))
		json.NewEncoder(w).Encode(g.list[from:min(from+100, len(g.list))])
	case r.Method == "POST" && path == "/issues":
		g.list = append(g.list, github.Issue{Number: len(g.list) + 1, Body: sent.Body, User: github.User{Login: github.Bot}})
	case r.Method == "PATCH":
		for i := range g.list {
			if path == fmt.Sprintf("/issues/%d", g.list[i].Number) {
				g.list[i].Body = sent.Body
			}
		}
	}
}

func TestThereIsOneIssueOfAMatter(t *testing.T) {
	gh := &issues{}
	for i := range 120 { // more than a page
		gh.list = append(gh.list, github.Issue{Number: i + 1, Body: "hello", User: github.User{Login: "someone"}})
	}
	forged := state{"go-http", "a", "a", ""}.line()
	gh.list[3].Body = forged
	gh.list[4].Body, gh.list[4].User.Login = "another robot's", github.Bot
	c := gh.client(t)
	raise := func(about, body string) func() error {
		return func() error {
			return Raise(t.Context(), c, Issue{Key: "go-http", About: about, Title: "go-http", Body: body})
		}
	}
	note := func(kind string) func() error {
		return func() error { return Note(t.Context(), c, "go-http", kind, "note") }
	}
	other := func() error {
		return Raise(t.Context(), c, Issue{Key: "go-gin", About: "1..2", Title: "go-gin", Body: "other"})
	}
	edit, comment := "PATCH /issues/121", "POST /issues/121/comments"
	for i, s := range []struct {
		name string
		do   func() error
		want []string
		body string // of the issue afterwards, without its state
	}{
		{"nothing to note", note("step"), nil, ""},
		{"opened", raise("1..2", "one"), []string{"POST /issues"}, "one"},
		{"the same, measured again", raise("1..2", "one again"), []string{edit}, "one again"},
		{"a note", note("step"), []string{comment, edit}, "one again"},
		{"the same note", note("step"), nil, "one again"},
		{"another note", note("level"), []string{comment, edit}, "one again"},
		{"the first again", note("step"), nil, "one again"},
		{"the same, after a note", raise("1..2", "one once more"), []string{comment, edit}, "one again"},
		{"worse", raise("3..4", "two"), []string{comment, edit}, "one again"},
		{"worse, measured again", raise("3..4", "two"), nil, "one again"},
		{"a note after that", note("step"), []string{comment, edit}, "one again"},
		{"worse, after a note", raise("3..4", "two"), []string{comment, edit}, "one again"},
		{"the same note, after that", note("step"), []string{comment, edit}, "one again"},
		{"another server", other, []string{"POST /issues"}, "one again"},
	} {
		gh.writes = nil
		if err := s.do(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(gh.writes, s.want) {
			t.Errorf("%d, %s: wrote %q, want %q", i, s.name, gh.writes, s.want)
		}
		if s.body != "" && rest(gh.list[120].Body) != s.body {
			t.Errorf("%d, %s: the issue is %q", i, s.name, gh.list[120].Body)
		}
	}
	if gh.list[3].Body != forged || len(gh.list) != 122 {
		t.Errorf("%d issues, of which a forged one is %q", len(gh.list), gh.list[3].Body)
	}
	if want := (state{"go-http", "1..2", "3..4", "step"}).line() + "one again"; gh.list[120].Body != want {
		t.Errorf("the issue is %q, want %q", gh.list[120].Body, want)
	}
}
