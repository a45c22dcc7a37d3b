package github

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// answers is a GitHub that gives the statuses in turn, the last one for ever.
func answers(t *testing.T, statuses ...int) (Client, *[]string) {
	pause = time.Millisecond
	var calls []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // a test that lacks it sees that
		calls = append(calls, fmt.Sprintf("%s %s %s %s", r.Method, r.URL.RequestURI(), r.Header.Get("Authorization"), body))
		w.WriteHeader(statuses[min(len(calls), len(statuses))-1])
		fmt.Fprint(w, `{"message": "said", "number": 7, "head": {"sha": "abc", "repo": null}}`) // the reader notices
	}))
	t.Cleanup(server.Close)
	return Client{API: server.URL, Repository: "acme/fairstream", Token: "secret"}, &calls
}

func TestAFailedRequestIsRepeated(t *testing.T) {
	for _, c := range []struct {
		statuses []int
		calls    int
		err      string
	}{
		{[]int{200}, 1, ""},
		{[]int{502, 200}, 2, ""},
		{[]int{429, 503, 200}, 3, ""},
		{[]int{500}, 3, `github: GET /repos/acme/fairstream/pulls/7: 500 Internal Server Error: "said"`},
		{[]int{404}, 1, `404 Not Found: "said"`},
		{[]int{403}, 1, `403 Forbidden: "said"`},
	} {
		client, calls := answers(t, c.statuses...)
		p, err := client.Pull(t.Context(), 7)
		if len(*calls) != c.calls || (*calls)[0] != "GET /repos/acme/fairstream/pulls/7 Bearer secret " {
			t.Errorf("%v: calls %q, want %d", c.statuses, *calls, c.calls)
		}
		if c.err == "" && (err != nil || p.Number != 7 || p.Head.SHA != "abc" || p.Head.Repo != nil) {
			t.Errorf("%v: %+v, %v", c.statuses, p, err)
		}
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%v: error %v, want %q", c.statuses, err, c.err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the token is in the error: %v", err)
		}
	}
}

// The answer that was lost may have been that there is a comment now.
func TestACommentIsCreatedOnce(t *testing.T) {
	client, calls := answers(t, 502, 200)
	if err := client.CreateComment(t.Context(), 7, "a \"body\"\n"); err == nil || len(*calls) != 1 {
		t.Errorf("%v after %q; want an error after one call", err, *calls)
	}
	if want := `POST /repos/acme/fairstream/issues/7/comments Bearer secret {"body":"a \"body\"\n"}`; (*calls)[0] != want {
		t.Errorf("call %q, want %q", (*calls)[0], want)
	}
	client, calls = answers(t, 502, 200)
	if err := client.EditComment(t.Context(), 9, "b"); err != nil || len(*calls) != 2 {
		t.Errorf("edit: %v after %q; want two calls", err, *calls)
	}
}

// The same status twice is one status.
func TestAStatusIsSetAgain(t *testing.T) {
	client, calls := answers(t, 502, 200)
	err := client.SetStatus(t.Context(), "abc", Status{Context: "c", State: "success", Description: "d", URL: "u"})
	want := `POST /repos/acme/fairstream/statuses/abc Bearer secret {"context":"c","state":"success","description":"d","target_url":"u"}`
	if err != nil || len(*calls) != 2 || (*calls)[1] != want {
		t.Errorf("%v after %q; want %q twice", err, *calls, want)
	}
}

// The author of a pull request chooses the branch's name.
func TestABranchCannotChangeTheQuestion(t *testing.T) {
	client, calls := answers(t, 404)
	client.PullsOf(t.Context(), "someone", "a&state=closed#/../x") // the call is what is looked at
	if want := "GET /repos/acme/fairstream/pulls?head=someone%3Aa%26state%3Dclosed%23%2F..%2Fx&per_page=100&state=open Bearer secret "; (*calls)[0] != want {
		t.Errorf("call %q, want %q", (*calls)[0], want)
	}
}

// A run that is not cancelled keeps the machine, and cancelling twice is harmless.
func TestARunIsCancelledDespiteALostAnswer(t *testing.T) {
	client, calls := answers(t, 502, 202)
	if err := client.CancelRun(t.Context(), Run{ID: "77", Attempt: 2}); err != nil || len(*calls) != 2 || !strings.HasPrefix((*calls)[1], "POST /repos/acme/fairstream/actions/runs/77/cancel ") {
		t.Errorf("%v, calls %q", err, *calls)
	}
	client, calls = answers(t, 200)
	if _, err := client.RunJobs(t.Context(), Run{ID: "77", Attempt: 2}); err != nil || len(*calls) != 1 || !strings.HasPrefix((*calls)[0], "GET /repos/acme/fairstream/actions/runs/77/attempts/2/jobs?per_page=100&page=1 ") {
		t.Errorf("%v, calls %q", err, *calls)
	}
}
