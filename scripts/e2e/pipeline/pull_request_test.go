package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const marker = "<!-- fairstream -->"

// answer is the one comment of ours on a pull request: the bot's, with our marker.
func (h *hub) answer(number int) string {
	h.t.Helper()
	var found []comment
	for _, c := range h.api.comments {
		if c.issue == number && c.User == bot && strings.Contains(c.Body, marker) {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		h.t.Fatalf("%d comments of ours, want one: %+v", len(found), found)
	}
	return found[0].Body
}

// statuses are those of a commit: for each server the states, in their order, and the last
// description.
func (h *hub) statuses(sha string) map[string]string {
	states, last := map[string]string{}, map[string]string{}
	for _, s := range h.api.statuses[sha] {
		server := strings.TrimPrefix(s.Context, "fairstream/relay.")
		states[server] += s.State + ", "
		last[server] = s.Description
	}
	for server := range states {
		states[server] += last[server]
	}
	return states
}

// wantStatuses compares the states and the beginning of the last description, by server.
func (h *hub) wantStatuses(sha string, want map[string]string) {
	h.t.Helper()
	got := h.statuses(sha)
	if len(got) != len(want) {
		h.t.Errorf("statuses %q, want %q", got, want)
	}
	for server, begin := range want {
		if !strings.HasPrefix(got[server], begin) {
			h.t.Errorf("%s: status %q, want %q", server, got[server], begin)
		}
	}
}

// unchanged is the status of a server that a pull request does not change.
const unchanged = "success, identical: this pull request brings no new version of it"

func TestPullRequestIsAnsweredInOneComment(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.inline() // a regression is a failed job
	// Others comment before, one of them with our marker.
	for i := range 140 {
		h.api.comments = append(h.api.comments, comment{ID: i + 1, User: user{"ann", "User"}, Body: fmt.Sprint("remark ", i), issue: 7})
	}
	forgery := marker + " a forgery"
	h.api.comments[5].Body = forgery
	slower := h.commit("slower", "a slower go-http", map[string]string{"servers/relay/go-http/speed": "rate=700 p95=70 rss=35\n"})
	h.open(7, "slower", slower, false)
	h.tested(7, "pull_request", "success").want([]string{"plan", "announce", "load relay.go-http", "answer"}, "load relay.go-http: comparison")
	first := h.answer(7)
	if !strings.Contains(first, "\n**relay/go-http**: regressed: ") || !strings.Contains(first, "go-http") || strings.Contains(first, "go-gin") {
		t.Errorf("want a regression of go-http alone:\n%s", first)
	}
	if h.api.comments[5].Body != forgery {
		t.Errorf("somebody else's comment was edited: %s", h.api.comments[5].Body)
	}
	h.wantStatuses(slower, map[string]string{"go-http": "pending, failure, regressed: ", "go-gin": unchanged, "bun-hono": unchanged})
	// The placeholder came first, and the answer in its place.
	var methods []string
	for _, c := range h.api.writes() {
		if strings.Contains(c.path, "/issues/") {
			methods = append(methods, c.method)
		}
	}
	if !slices.Equal(methods, []string{"POST", "PATCH"}) {
		t.Errorf("writes: %q, want a comment made and edited", methods)
	}

	h.update(7, h.commit("slower", "worse", map[string]string{"servers/relay/go-http/speed": "rate=400 p95=120 rss=35\n"}))
	h.tested(7, "pull_request", "success").want([]string{"plan", "announce", "load relay.go-http", "answer"}, "load relay.go-http: comparison")
	second := h.answer(7)
	if second == first || !strings.Contains(second, "regressed") {
		t.Errorf("want the comment of the newer commit:\n%s", second)
	}

	mended := h.commit("slower", "mended", map[string]string{"servers/relay/go-http/speed": "rate=1001 p95=50 rss=20\n"})
	h.update(7, mended)
	h.tested(7, "pull_request", "success").want([]string{"plan", "announce", "load relay.go-http", "answer"})
	if third := h.answer(7); !strings.Contains(third, "\n**relay/go-http**: no change in ") || strings.Contains(third, "regressed") || !strings.Contains(third, "-n raw-relay.go-http-1 ") {
		t.Errorf("want the regression gone, and how to replay that:\n%s", third)
	}
	h.wantStatuses(mended, map[string]string{"go-http": "pending, success, no change in ", "go-gin": unchanged, "bun-hono": unchanged})
	if len(h.history()) > 0 || len(h.api.alerts) > 0 {
		t.Errorf("a pull request reached the history %q or the alerts %v", h.history(), h.api.alerts)
	}
}

func TestAForkGetsTheNextStep(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.inline() // a regression is a failed job
	sha := h.commit("patch", "from outside", map[string]string{"servers/relay/go-http/speed": "rate=700 p95=70 rss=35\n"})
	h.open(9, "patch", sha, true)
	h.tested(9, "pull_request", "success").want([]string{"plan", "announce"})
	if body := h.answer(9); !strings.Contains(body, "fork") || !strings.Contains(body, "/pull/9/files)") || strings.Contains(body, sha) {
		t.Errorf("the comment does not say how to go on:\n%s", body)
	}

	h.wantStatuses(sha, nil) // a required one is missing until somebody has read the code

	// A maintainer has read it.
	h.dispatch("pull-request", map[string]string{"pr": "9", "sha": sha, "rounds": "8"}).want([]string{"plan", "announce", "load relay.go-http", "answer"}, "load relay.go-http: comparison")
	if body := h.answer(9); !strings.Contains(body, "regressed") || !strings.Contains(body, "These figures are a claim.") {
		t.Errorf("want a regression, and whose claim that is:\n%s", body)
	}

	h.wantStatuses(sha, map[string]string{"go-http": "pending, failure, regressed: ", "go-gin": unchanged, "bun-hono": unchanged})
}

func TestRunsOfCIThatStartNothing(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.open(7, "change", h.commit("change", "a change", map[string]string{"servers/relay/go-http/speed": "rate=700\n"}), false)
	for _, c := range [][2]string{{"pull_request", "failure"}, {"pull_request", "cancelled"}, {"push", "success"}, {"schedule", "success"}} {
		h.tested(7, c[0], c[1]).want(nil)
	}
	if len(h.api.calls) > 0 {
		t.Errorf("GitHub was asked: %v", h.api.calls)
	}
}

// A pull request's job may upload any bytes.
func TestHostileArtifactOfAPullRequest(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"forge", "garble", "crash", "fail"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			h := newHub(t)
			h.inline()
			branch := `evil";touch${IFS}forged;$(touch${IFS}forged)`
			evil := h.commit(branch, "evil", map[string]string{
				"servers/relay/go-http/speed": fault + "\n", "servers/relay/go-gin/speed": "rate=500 p95=99 rss=24\n",
			})
			h.open(7, branch, evil, false)
			r := h.tested(7, "pull_request", "success")
			if got, want := r.jobs(), []string{"announce", "answer", "load relay.go-gin", "load relay.go-http", "plan"}; !slices.Equal(got, want) {
				t.Errorf("jobs %q, want %q\n%s", got, want, r.log)
			}
			h.nothingForged()
			body := h.answer(7)
			lost := "pending, error, not measured: no records arrived"
			if fault == "fail" { // it has records, and they say that head fails
				lost = "pending, failure, regressed: head fails"
			}
			h.wantStatuses(evil, map[string]string{"go-http": lost, "go-gin": "pending, failure, regressed: ", "bun-hono": unchanged})
			for _, evil := range []string{"<img", "@everyone", "onerror"} {
				if strings.Contains(body, evil) {
					t.Errorf("%q reached the comment:\n%s", evil, body)
				}
			}
			if !strings.Contains(body, "regressed") || !strings.Contains(body, "go-http") {
				t.Errorf("want the regression of go-gin, and what became of go-http:\n%s", body)
			}
		})
	}
}
