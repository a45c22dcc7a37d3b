package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The command asks GitHub for this attempt's jobs, and cancels this run alone.
func TestTheWatchdogCancelsTheRunOfALostRunner(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for status, c := range map[string]struct {
		exit int
		says string
	}{
		"queued":    {1, "watchdog: no runner took a job for 0 minutes, so the run is cancelled"},
		"completed": {0, ""},
	} {
		var mu sync.Mutex
		var calls []string
		api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			calls = append(calls, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/repos/acme/fairstream/actions/runs/77/"))
			if r.Method == "POST" {
				w.WriteHeader(http.StatusAccepted)
				fmt.Fprint(w, "{}") // the reader notices
				return
			}
			json.NewEncoder(w).Encode(map[string]any{"jobs": []map[string]any{{"name": "load / load relay.go-http", "status": status}}})
		}))
		t.Cleanup(api.Close)
		cmd := p.command("ci", "watchdog", "-patience", "100ms", `[{"name":"relay.go-http","servers":"relay/go-http","rounds":12,"base":"a"}]`)
		cmd.Env = append(cmd.Env, "GITHUB_API_URL="+api.URL, "GITHUB_REPOSITORY=acme/fairstream", "GITHUB_RUN_ID=77", "GITHUB_RUN_ATTEMPT=2", "GITHUB_TOKEN=")
		p.finish(cmd).expect(t, c.exit, c.says)
		cancelled := slices.Contains(calls, "POST cancel")
		if calls[0] != "GET attempts/2/jobs" || cancelled != (c.exit == 1) || cancelled && calls[len(calls)-1] != "POST cancel" {
			t.Errorf("%s: calls %q", status, calls)
		}
	}
	p.bench("ci", "watchdog").expect(t, 2, "watchdog: want one argument")
	p.bench("ci", "watchdog", "{").expect(t, 2, "watchdog: the argument is not the jobs of scripts/bench ci plan")
}
