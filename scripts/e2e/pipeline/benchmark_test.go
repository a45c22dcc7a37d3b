package pipeline

import (
	"archive/zip"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

var trendRuns = []string{"load relay.bun-hono", "load relay.go-gin", "load relay.go-http"}

// benchmarked lists the jobs of a run. Several trend runs bring a leaderboard run.
func benchmarked(loads ...string) []string {
	if len(loads) > 1 {
		loads = append(slices.Clone(loads), "load relay.leaderboard")
	}
	return slices.Concat([]string{"plan"}, loads, []string{"publish", "build", "deploy"})
}

// The machine and rig of the jobs: epoch is in the names of series.
var (
	ofJobs = record.Record{Schema: record.Schema, Host: machineOfJobs(), Run: record.Run{Placement: "shared", Rig: strings.Repeat("5", 64)}}
	epoch  = record.Epoch(ofJobs)
)

// near is within the per cent by which the jobs' rounds differ.
func near(got []float64, want ...float64) bool {
	return slices.EqualFunc(got, want, func(g, w float64) bool { return g > 0.99*w && g < 1.01*w })
}

// records reads all records of a file of the history.
func (h *hub) records(path string) []record.Record {
	h.t.Helper()
	all, err := record.Read(strings.NewReader(h.show(path)))
	if err != nil {
		h.t.Fatalf("%s: %v", path, err)
	}
	return all
}

// runFiles are the files of the jobs' records in the history, leaderboardFiles of all
// servers together.
func (h *hub) runFiles() (files []string) {
	for _, name := range h.history() {
		if strings.HasPrefix(name, "runs/") && !strings.HasSuffix(name, ".leaderboard.jsonl") {
			files = append(files, name)
		}
	}
	return files
}

func (h *hub) leaderboardFiles() (files []string) {
	for _, name := range h.history() {
		if strings.HasSuffix(name, ".leaderboard.jsonl") {
			files = append(files, name)
		}
	}
	return files
}

// serversOf are those of records, each once, in order of name.
func serversOf(records []record.Record) (names []string) {
	for _, r := range records {
		names = append(names, r.Server.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestFirstPushMakesTheHistory(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	sha, r := h.push("two", nil)
	r.want(benchmarked(trendRuns...))
	if dog := (ranStep{watchdogOfLoad, "watchdog", "success"}); !slices.Contains(r.steps, dog) {
		t.Errorf("no watchdog beside the load: %+v", r.steps)
	}
	files := h.runFiles()
	if len(files) != 1 || filepath.Base(files[0]) != sha+"-101-1.jsonl" {
		t.Fatalf("history: %q, want one file of records of %s", h.history(), sha)
	}
	// Three servers, two rounds of baseline, steady and three levels.
	records := h.records(files[0])
	if len(records) != 30 {
		t.Errorf("%d records, want 30", len(records))
	}
	for _, rec := range records {
		if rec.Server.Commit == nil || *rec.Server.Commit != sha {
			t.Errorf("a record of %v, want %s", rec.Server.Commit, sha)
		}
	}
	// All together, with direct, six rounds.
	together := h.leaderboardFiles()
	if len(together) != 1 || filepath.Base(together[0]) != sha+"-101-1.leaderboard.jsonl" {
		t.Fatalf("history: %q, want one file of leaderboard", h.history())
	}
	if got, want := serversOf(h.records(together[0])), []string{"bun-hono", "direct", "go-gin", "go-http"}; !slices.Equal(got, want) || len(h.records(together[0])) != 120 {
		t.Errorf("leaderboard has %d records of %q, want 120 of %q", len(h.records(together[0])), got, want)
	}
	if path := record.DetailsPath(files[0]); !slices.Contains(h.history(), path) {
		t.Errorf("history: %q, want %s", h.history(), path)
	}
	c := h.chartsOf()
	for name, want := range map[string]float64{
		"relay/go-http stress-100 x direct": 0.5, "relay/go-http baseline TTFT p95 overhead": 20, "relay/go-http steady CPU x rig": 1, "relay/go-http stress-200 peak RSS": 20,
		"relay/bun-hono stress-200 x direct": 0.4,
	} {
		if got := c.series(name); !near(got, want) {
			t.Errorf("chart %s: %v, want about %v", name, got, want)
		}
	}
	if writes := h.api.writes(); len(writes) > 0 {
		t.Errorf("wrote to GitHub: %v, want nothing: there is nothing to compare with", writes)
	}
	_, ranked, ok := strings.Cut(r.summary["publish"], "### Leaderboard of relay: servers against each other")
	ranked, trends, both := strings.Cut(ranked, "### Trend runs: each server against its own history")
	if !ok || !both || !strings.Contains(ranked, "go-gin") || !strings.Contains(ranked, "direct") || !strings.Contains(trends, "| relay/go-gin | 0.45") {
		t.Errorf("the summary lacks a table:\n%s", r.summary["publish"])
	}
	site := h.deployed()
	for _, want := range []string{"index.html", "charts/data.js", "data/manifest.json", strings.Replace("runs/"+strings.TrimPrefix(together[0], "runs/"), sha, sha[:10], 1) + ".gz"} {
		if !slices.Contains(site, want) {
			t.Errorf("the site has no %s: %q", want, site)
		}
	}
}

// deployed lists the files of the site.
func (h *hub) deployed() (names []string) {
	h.t.Helper()
	z, err := zip.OpenReader(filepath.Join(h.path("artifacts"), "deployed.zip"))
	if err != nil {
		h.t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	return names
}

func TestRegressionOnMainIsAlertedOnce(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.inline() // a regression is a failed job
	paired := append(benchmarked(trendRuns...), "load comparison.relay.go-http", "alert")
	before, r := h.push("before", nil)
	r.want(benchmarked(trendRuns...))
	sha, r := h.push("slower", map[string]string{"servers/relay/go-http/speed": "rate=600 p95=90 rss=40\n"})
	r.want(paired, "load comparison.relay.go-http: comparison")
	if !strings.Contains(r.summary["publish"], "**relay/go-http** since `"+before[:12]+"`: regressed: ") {
		t.Errorf("the summary has no verdict:\n%s", r.summary["publish"])
	}
	h.flagged(sha, verdict.Regressed)
	if len(h.api.issues) != 1 || !strings.Contains(h.api.issues[0].Body, "**relay/go-http**: regressed: ") || !strings.Contains(h.api.issues[0].Body, "/compare/"+before+"..."+sha) {
		t.Errorf("issues %+v; want one of go-http", h.api.issues)
	}
	if len(h.api.alerts) != 2 {
		t.Fatalf("alerts: %+v, want one a suite", h.api.alerts)
	}
	var text string
	for _, a := range h.api.alerts {
		if a.commit != sha {
			t.Errorf("an alert on %s, want it on %s", a.commit, sha)
		}
		text += a.Body
	}
	for _, want := range []string{"`relay/go-http stress-100 x direct, ", "`relay/go-http stress-200 x direct, ", "`relay/go-http baseline TTFT p95 overhead, ", "`relay/go-http steady CPU x rig, ", "`relay/go-http stress-200 peak RSS, "} {
		if !strings.Contains(text, want) {
			t.Errorf("no alert names %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, "go-gin") || strings.Contains(text, "bun-hono") {
		t.Errorf("an alert names a server that is as it was:\n%s", text)
	}
	if !strings.Contains(r.summary["publish"], "relay/go-http stress-100 x direct") {
		t.Errorf("the summary has no comparison:\n%s", r.summary["publish"])
	}
	if got := h.chartsOf().series("relay/go-http stress-100 x direct"); !near(got, 0.5, 0.3) {
		t.Errorf("chart: %v, want about 0.5, 0.3", got)
	}

	_, r = h.push("the tool", map[string]string{"scripts/GLOSSARY.md": "# Words\n", "scripts/tool.go": "package main\n"})
	r.want([]string{"plan"}) // it touches no workload
	sha, r = h.push("faster again", map[string]string{"servers/relay/go-http/speed": "rate=1400 p95=40 rss=15\n"})
	r.want(paired)
	h.flagged(sha, verdict.Improved)
	if len(h.api.issues) != 1 || len(h.api.comments) != 1 || !strings.Contains(h.api.comments[0].Body, "improved: ") {
		t.Errorf("%d issues, comments %+v; want a note", len(h.api.issues), h.api.comments)
	}
	if len(h.api.alerts) != 2 {
		t.Errorf("alerted to an improvement: %+v", h.api.alerts[2:])
	}
	if got := len(h.runFiles()); got != 3 {
		t.Errorf("%d files of records, want 3", got)
	}
}

// flagged wants one event of a commit of main, of go-http.
func (h *hub) flagged(sha string, want verdict.Verdict) {
	h.t.Helper()
	for _, name := range h.history() {
		if !strings.HasPrefix(name, "events/") || !strings.HasPrefix(filepath.Base(name), sha) {
			continue
		}
		events, err := verdict.ReadEvents(strings.NewReader(h.show(name)))
		if err != nil || len(events) != 1 || events[0].Server != "go-http" || events[0].Head != sha || events[0].Verdict != want || events[0].Confirmed != (want == verdict.Regressed) {
			h.t.Errorf("%s: events %+v, %v; want %s", name, events, err, want)
		}
		return
	}
	h.t.Errorf("no events of %.12s in %q", sha, h.history())
}

func TestCommitMeasuredAgainIsOnePoint(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.push("before", nil)
	sha, r := h.push("measured twice", nil)
	r.want(benchmarked(trendRuns...))
	r = h.rerun("benchmark", "push", h.pushed(sha, sha, "measured twice"), 2)
	r.want(benchmarked(trendRuns...))
	if got := h.runFiles(); len(got) != 3 {
		t.Errorf("history: %q, want every run", got)
	}
	if got := h.chartsOf().series("relay/go-http stress-100 x direct"); len(got) != 2 {
		t.Errorf("chart: %v, want a point a commit", got)
	}
	if len(h.api.alerts) > 0 {
		t.Errorf("alerts: %+v", h.api.alerts)
	}
}

func TestDispatchMeasuresTheChosenServers(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	old, _ := h.push("old", map[string]string{"servers/relay/go-http/speed": "rate=500 p95=50 rss=20\n"})
	h.push("new", map[string]string{"servers/relay/go-http/speed": "rate=1000 p95=50 rss=20\n"})
	r := h.dispatch("benchmark", map[string]string{
		"workloads": "relay", "servers": "go-http, go-gin", "scenarios": "stress", "revision": old, "rounds": "1", "leaderboard": "1", "quick": "true",
		"reason": "a look\"; touch forged; $(touch forged) ${{ github.token }}\nlegs=[]",
	})
	r.want(benchmarked("load relay.go-gin", "load relay.go-http"))
	h.nothingForged()
	files := slices.DeleteFunc(h.runFiles(), func(name string) bool { return !strings.HasSuffix(name, old+"-103-1.jsonl") })
	if len(files) != 1 {
		t.Fatalf("history: %q, want a file of run 103", h.runFiles())
	}
	var got []string
	for _, rec := range h.records(files[0]) {
		rate, _ := rec.Metrics.Get("rate_per_s")
		got = append(got, fmt.Sprintf("%s %s %t %.0f", rec.Server.Name, rec.Scenario, rec.Run.Quick, rate))
	}
	slices.Sort(got)
	if want := []string{"go-gin stress-10 true 901", "go-gin stress-100 true 901", "go-gin stress-200 true 901", "go-http stress-10 true 500", "go-http stress-100 true 500", "go-http stress-200 true 500"}; !slices.Equal(got, want) {
		t.Errorf("records: %q, want %q", got, want)
	}
	if got := h.chartsOf().series("relay/go-http stress-100 x direct (quick)"); !near(got, 0.25) {
		t.Errorf("chart of quick records: %v, want about 0.25", got)
	}
}
