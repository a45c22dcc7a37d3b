package pipeline

import (
	"slices"
	"strings"
	"testing"
)

// A server that fails, a harness that breaks, and an artifact that is not what
// it should be each cost one server's records and nobody else's.
func TestOneJobFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, speed string
		failed      []string
		kept        bool // are there records of go-gin?
	}{
		{"the server", "fail", []string{"load relay.go-gin: run", "load relay.leaderboard: run", "load comparison.relay.go-gin: comparison"}, true},
		{"the harness", "crash", []string{"load relay.go-gin: run", "load relay.go-gin: report", "load relay.go-gin: upload the records", "load relay.go-gin: upload the raw files",
			"load comparison.relay.go-gin: comparison", "load comparison.relay.go-gin: report", "load comparison.relay.go-gin: upload the records", "load comparison.relay.go-gin: upload the raw files"}, false},
		{"forged artifact", "forge", nil, false},
		{"garbled records", "garble", []string{"load relay.go-gin: report", "load comparison.relay.go-gin: report"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t)
			h.inline()
			h.push("before", nil)
			_, r := h.push("broken", map[string]string{"servers/relay/go-gin/speed": c.speed + "\n", "servers/relay/go-http/speed": "rate=1100\n"})
			r.want(append(benchmarked(trendRuns...), "load comparison.relay.go-gin", "load comparison.relay.go-http", "alert"), c.failed...)
			// A known failure is a regression. An unknown result says nothing.
			if alarmed := len(h.api.issues) > 0; alarmed != c.kept {
				t.Errorf("issues %+v", h.api.issues)
			}
			var names []string
			for _, path := range h.runFiles() {
				if strings.HasSuffix(path, "-102-1.jsonl") {
					for _, rec := range h.records(path) {
						names = append(names, rec.Server.Name)
					}
				}
			}
			slices.Sort(names)
			want := []string{"bun-hono", "go-http"}
			if c.kept {
				want = []string{"bun-hono", "go-gin", "go-http"}
			}
			if got := slices.Compact(names); !slices.Equal(got, want) {
				t.Errorf("records of %q, want of %q", got, want)
			}
			// All together are loaded whatever became of one alone.
			leaderboard := slices.DeleteFunc(h.leaderboardFiles(), func(path string) bool { return !strings.HasSuffix(path, "-102-1.leaderboard.jsonl") })
			if len(leaderboard) != 1 || !slices.Equal(serversOf(h.records(leaderboard[0])), []string{"bun-hono", "direct", "go-gin", "go-http"}) {
				t.Errorf("history: %q, want a leaderboard of all servers", h.history())
			}
			if !strings.Contains(r.summary["publish"], "go-gin") {
				t.Errorf("the summary does not name go-gin:\n%s", r.summary["publish"])
			}
			if got := h.chartsOf().series("relay/go-gin stress-100 x direct"); !near(got, 0.45) {
				t.Errorf("chart of go-gin: %v, want the old point alone", got)
			}
			if got := h.chartsOf().series("relay/go-http stress-100 x direct"); !near(got, 0.5, 0.55) {
				t.Errorf("chart of go-http: %v, want about 0.5, 0.55", got)
			}
			if strings.Contains(r.summary["publish"], "<img") {
				t.Errorf("a job's text reached the summary as it was:\n%s", r.summary["publish"])
			}
			h.nothingForged()
		})
	}
}

// An alert that cannot be raised fails its step, and costs no records.
func TestHistoryIsKeptWhenTheAlertFails(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.inline() // a regression is a failed job
	h.push("before", nil)
	h.api.readOnly = true
	sha, r := h.push("slower", map[string]string{"servers/relay/go-http/speed": "rate=600 p95=90 rss=40\n"})
	r.want(append(benchmarked(trendRuns...), "load comparison.relay.go-http", "alert"),
		"load comparison.relay.go-http: comparison", "publish: chart and alert, bigger is better", "publish: chart and alert, smaller is better", "alert: alert")
	if got := h.runFiles(); !slices.ContainsFunc(got, func(name string) bool { return strings.Contains(name, sha) }) {
		t.Errorf("history: %q, want records of %s", got, sha)
	}
}
