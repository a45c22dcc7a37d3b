package pipeline

import (
	"strings"
	"testing"
	"time"
)

func TestSilenceOpensAnIssue(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.run("watch", "schedule", map[string]any{"schedule": "41 5,17 * * *"}).want([]string{"watch"})
	h.api.waiting = []map[string]any{{
		"name": "load relay.go-http", "status": "queued", "labels": []string{"self-hosted", "fairstream-main"},
		"html_url": "https://github.com/" + slug + "/actions/runs/1/job/2", "created_at": time.Now().Add(-20 * time.Hour),
	}}
	for range 2 {
		h.run("watch", "schedule", map[string]any{"schedule": "41 5,17 * * *"}).want([]string{"watch"}, "watch: watch")
	}
	if len(h.api.issues) != 1 || !strings.Contains(h.api.issues[0].Body, "the job `load relay.go-http`") || len(h.api.comments) > 0 {
		t.Errorf("issues %+v, comments %+v; want one issue", h.api.issues, h.api.comments)
	}
}
