package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// A queue stands in for GitHub, with issues and with runs that have jobs.
type queue struct {
	mu     sync.Mutex
	jobs   []map[string]any
	issues []map[string]any
	notes  int
}

func (q *queue) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var sent map[string]any
	json.NewDecoder(r.Body).Decode(&sent) // a GET has no body
	runs := []map[string]any{}
	if r.URL.Query().Get("status") == "in_progress" { // its plan has run
		runs = append(runs, map[string]any{"id": 5})
	}
	switch call := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/repos/acme/fairstream"); call {
	case "GET /actions/runs":
		json.NewEncoder(w).Encode(map[string]any{"workflow_runs": runs})
	case "GET /actions/runs/5/jobs":
		json.NewEncoder(w).Encode(map[string]any{"jobs": q.jobs})
	case "GET /issues":
		json.NewEncoder(w).Encode(q.issues)
	case "POST /issues":
		q.issues = append(q.issues, map[string]any{"number": 1, "body": sent["body"], "user": map[string]any{"login": "github-actions[bot]"}})
	case "PATCH /issues/1":
		q.issues[0]["body"] = sent["body"]
	case "POST /issues/1/comments":
		q.notes++
	default:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"message": %q}`, call) // the reader notices
	}
}

func TestSilenceIsNoticed(t *testing.T) {
	t.Parallel()
	p := newPublished(t)
	q := &queue{}
	api := httptest.NewServer(q)
	t.Cleanup(api.Close)
	publishedDaysAgo := func(days int) {
		p.now = time.Now().AddDate(0, 0, -days).Format(time.RFC3339)
		p.write("runs/2026/11/x.jsonl", fmt.Sprint(days))
		p.git(".", "add", "runs")
		p.git(".", "commit", "--quiet", "-m", "run")
		p.git(".", "update-ref", "refs/remotes/origin/gh-pages", "HEAD")
		// What else is written there is no run.
		p.now = time.Now().Format(time.RFC3339)
		p.git(".", "commit", "--quiet", "--allow-empty", "-m", "something else")
		p.git(".", "update-ref", "refs/remotes/origin/gh-pages", "HEAD")
	}
	waits := func(hours int, label, status string) {
		q.jobs = []map[string]any{{"name": "load go-http", "status": status, "labels": []string{"self-hosted", label}, "html_url": "https://x.example/1", "created_at": time.Now().Add(time.Duration(-hours) * time.Hour)}}
	}
	for _, c := range []struct {
		name          string
		set           func()
		status        int
		says          string
		issues, notes int
	}{
		{"never published", func() {}, 0, "watch: nothing was published on refs/remotes/origin/gh-pages yet", 0, 0},
		{"published", func() { publishedDaysAgo(7) }, 0, "watch: all is well", 0, 0},
		{"waits, not long", func() { waits(11, "fairstream-main", "queued") }, 0, "1 jobs wait for a runner", 0, 0},
		{"waits for another machine", func() { waits(13, "ubuntu-24.04", "queued") }, 0, "all is well", 0, 0},
		{"runs for long", func() { waits(13, "fairstream-main", "in_progress") }, 0, "all is well", 0, 0},
		{"waits", func() { waits(13, "fairstream-pr", "queued") }, 1, "watch: the job `load go-http` (https://x.example/1) has waited for the machine for 13 hours; want at most 12", 1, 0},
		{"silent too", func() { publishedDaysAgo(9) }, 1, "9 days ago; want a run at least every 8 days", 1, 0},
		{"well again", func() { publishedDaysAgo(1); q.jobs = nil }, 0, "all is well", 1, 1},
		{"still well", func() {}, 0, "all is well", 1, 1},
		{"silent again", func() { publishedDaysAgo(9) }, 1, "9 days ago; want a run at least every 8 days", 1, 2},
		{"still silent", func() {}, 1, "9 days ago; want a run at least every 8 days", 1, 2},
		{"well once more", func() { publishedDaysAgo(1) }, 0, "all is well", 1, 3},
	} {
		c.set()
		cmd := p.command("ci", "watch")
		cmd.Env = append(cmd.Env, "GITHUB_API_URL="+api.URL, "GITHUB_REPOSITORY=acme/fairstream", "GITHUB_RUN_ID=77", "GITHUB_RUN_ATTEMPT=1", "GITHUB_TOKEN=")
		p.finish(cmd).expect(t, c.status, c.says)
		if len(q.issues) != c.issues || q.notes != c.notes {
			t.Errorf("%s: %d issues, %d notes; want %d, %d", c.name, len(q.issues), q.notes, c.issues, c.notes)
		}
		if body := fmt.Sprint(q.issues); c.status == 1 && !strings.Contains(body, strings.TrimPrefix(c.says, "watch: ")) {
			t.Errorf("%s: the issue lacks %q:\n%s", c.name, c.says, body)
		}
	}
}
