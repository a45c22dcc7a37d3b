package pipeline

import (
	"archive/zip"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/record"
)

var allLegs = []string{"load bun-hono", "load go-gin", "load go-http"}

// benchmarked are the jobs of a run with some legs.
func benchmarked(legs ...string) []string {
	return slices.Concat([]string{"plan"}, legs, []string{"publish", "deploy"})
}

// near is within the per cent by which the legs' rounds differ.
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

// runFiles are the files of records in the history.
func (h *hub) runFiles() (files []string) {
	for _, name := range h.history() {
		if strings.HasPrefix(name, "runs/") {
			files = append(files, name)
		}
	}
	return files
}

func TestFirstPushMakesTheHistory(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	sha, r := h.push("two", nil)
	r.want(benchmarked(allLegs...))
	files := h.runFiles()
	if len(files) != 1 || filepath.Base(files[0]) != sha+"-101-1.jsonl" {
		t.Fatalf("history: %q, want one file of records of %s", h.history(), sha)
	}
	// Three servers, two scenarios, one round.
	records := h.records(files[0])
	if len(records) != 6 {
		t.Errorf("%d records, want 6", len(records))
	}
	for _, rec := range records {
		if rec.Server.Commit == nil || *rec.Server.Commit != sha {
			t.Errorf("a record of %v, want %s", rec.Server.Commit, sha)
		}
	}
	c := h.chartsOf()
	for name, want := range map[string]float64{
		"go-http stress req/s": 1000, "go-http stress p95 ms": 50, "go-http stress peak RSS MB": 20,
		"bun-hono baseline req/s": 800,
	} {
		if got := c.series(name); !near(got, want) {
			t.Errorf("chart %s: %v, want about %v", name, got, want)
		}
	}
	if writes := h.api.writes(); len(writes) > 0 {
		t.Errorf("wrote to GitHub: %v, want nothing: there is nothing to compare with", writes)
	}
	if !strings.Contains(r.summary["publish"], "go-gin") {
		t.Errorf("no go-gin in the summary:\n%s", r.summary["publish"])
	}
	site := h.deployed()
	for _, want := range []string{"index.html", "charts/data.js"} {
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
	_, r := h.push("before", nil)
	r.want(benchmarked(allLegs...))
	sha, r := h.push("slower", map[string]string{"servers/go-http/speed": "rate=600 p95=90 rss=40\n"})
	r.want(benchmarked(allLegs...))
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
	for _, want := range []string{"`go-http stress req/s`", "`go-http stress p95 ms`", "`go-http stress peak RSS MB`"} {
		if !strings.Contains(text, want) {
			t.Errorf("no alert names %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, "go-gin") || strings.Contains(text, "bun-hono") {
		t.Errorf("an alert names a server that is as it was:\n%s", text)
	}
	if !strings.Contains(r.summary["publish"], "go-http stress req/s") {
		t.Errorf("the summary has no comparison:\n%s", r.summary["publish"])
	}
	if got := h.chartsOf().series("go-http stress req/s"); !near(got, 1000, 600) {
		t.Errorf("chart: %v, want about 1000, 600", got)
	}

	_, r = h.push("faster again", map[string]string{"servers/go-http/speed": "rate=1400 p95=40 rss=15\n"})
	r.want(benchmarked(allLegs...))
	if len(h.api.alerts) != 2 {
		t.Errorf("alerted to an improvement: %+v", h.api.alerts[2:])
	}
	if got := len(h.runFiles()); got != 3 {
		t.Errorf("%d files of records, want 3", got)
	}
}

func TestCommitMeasuredAgainIsOnePoint(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.push("before", nil)
	sha, r := h.push("measured twice", nil)
	r.want(benchmarked(allLegs...))
	r = h.rerun("benchmark", "push", h.pushed(sha, sha, "measured twice"), 2)
	r.want(benchmarked(allLegs...))
	if got := h.runFiles(); len(got) != 3 {
		t.Errorf("history: %q, want every run", got)
	}
	if got := h.chartsOf().series("go-http stress req/s"); len(got) != 2 {
		t.Errorf("chart: %v, want a point a commit", got)
	}
	if len(h.api.alerts) > 0 {
		t.Errorf("alerts: %+v", h.api.alerts)
	}
}

func TestDispatchMeasuresWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	old, _ := h.push("old", map[string]string{"servers/go-http/speed": "rate=500 p95=50 rss=20\n"})
	h.push("new", map[string]string{"servers/go-http/speed": "rate=1000 p95=50 rss=20\n"})
	r := h.dispatch("benchmark", map[string]string{
		"servers": "go-http, go-gin", "scenarios": "stress", "revision": old, "rounds": "1", "quick": "true",
		"reason": "a look\"; touch forged; $(touch forged) ${{ github.token }}\nlegs=false",
	})
	r.want(benchmarked("load go-gin", "load go-http"))
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
	if want := []string{"go-gin stress true 901", "go-http stress true 500"}; !slices.Equal(got, want) {
		t.Errorf("records: %q, want %q", got, want)
	}
	if got := h.chartsOf().series("go-http stress req/s (quick)"); !near(got, 500) {
		t.Errorf("chart of quick records: %v, want about 500", got)
	}
}

func TestDispatchOfWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	r := h.dispatch("benchmark", map[string]string{"servers": "go-htp", "rounds": "1"})
	r.want([]string{"plan"}, "plan: plan")
	if !strings.Contains(r.log, `"go-htp"`) {
		t.Errorf("the log does not name it:\n%s", r.log)
	}
}

func TestScheduleMeasuresEverything(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.run("benchmark", "schedule", map[string]any{"schedule": "23 3 * * 1"}).want(benchmarked(allLegs...))
}
