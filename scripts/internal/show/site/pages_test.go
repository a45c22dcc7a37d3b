package site_test

import (
	"bytes"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
	"fairstream/scripts/internal/testfile"
)

// dist are built files, as the build leaves them.
var dist = fstest.MapFS{
	"assets.json": {Data: []byte(`{"style.css":{"file":"assets/a.css"},"src/pages/site.ts":{"file":"assets/s.js"},"src/pages/history.ts":{"file":"assets/h.js"},"src/pages/run.tsx":{"file":"assets/r.js"}}`)},
	"early.js":    {Data: []byte("//")}, ".sources": {Data: []byte("x")}, "report.html": {Data: []byte(emptyPage)},
}

// pages are the pages of a site, by path, without its other files.
func pages(t *testing.T, facts site.Facts) written {
	t.Helper()
	built, err := site.Build(facts, func(string, []byte) error { return nil }, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	s := written{}
	if err := site.Pages(dist, built, func(path string, data []byte) error { s[path] = bytes.Clone(data); return nil }); err != nil {
		t.Fatal(err)
	}
	return s
}

// says is the text of a page.
func says(page []byte) string {
	text := regexp.MustCompile(`(?s)<(script|style|svg).*?</(script|style|svg)>|<[^>]*>`).ReplaceAllString(string(page), " ")
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}

// A page has an address that says what it is of. Old addresses have a page that leads on.
func TestPages(t *testing.T) {
	s := pages(t, both(t))
	for _, path := range []string{
		"index.html", "history/index.html", "comparisons/index.html", "method/index.html", "run/index.html", "web/index.html", "web/history/index.html",
		"web/run/index.html", "trend/index.html", "leaderboard/index.html", "regressions/index.html", "tworuns/index.html", "charts/index.html", "early.js",
	} {
		if s[path] == nil {
			t.Errorf("no %s in %q", path, slices.Sorted(maps.Keys(s)))
		}
	}
	for _, path := range []string{".sources", "report.html", "assets.json"} {
		if s[path] != nil {
			t.Errorf("%s is no file of the site", path)
		}
	}
	if got := string(s["trend/index.html"]); !strings.Contains(got, `content="0; url=../history/"`) {
		t.Errorf("the old address leads nowhere: %s", got)
	}
}

// Each page links to files that there are, and has no inline style and no script of its own.
func TestPagesAreWhole(t *testing.T) {
	facts := both(t)
	facts.Local = []site.Local{{Records: compared(t), Answers: verdict.Compare(compared(t))}}
	s := pages(t, facts)
	data, _ := build(t, facts)
	for path, text := range s {
		if !strings.HasSuffix(path, ".html") {
			continue
		}
		if bytes.Contains(text, []byte(" style=")) {
			t.Errorf("%s has an inline style", path)
		}
		for _, m := range regexp.MustCompile(`(?:href|src)="([^"#:?]+)[^":]*"`).FindAllSubmatch(text, -1) {
			to := resolved(path, string(m[1]))
			if s[to] == nil && data[to] == nil && !strings.HasPrefix(to, "assets/") && to != "moved.js" {
				t.Errorf("%s leads to %s, which there is not", path, to)
			}
		}
	}
}

// resolved is the file that a link of a page leads to.
func resolved(page, link string) string {
	parts := strings.Split(page, "/")
	parts = parts[:len(parts)-1]
	for _, p := range strings.Split(link, "/") {
		switch p {
		case "..":
			parts = parts[:len(parts)-1]
		case ".":
		default:
			parts = append(parts, p)
		}
	}
	path := strings.Join(parts, "/")
	if path == "" || strings.HasSuffix(path, "/") {
		path += "index.html"
	}
	return path
}

// The first page has the answers of the terminal, and every server with its figures.
func TestResultsAreThoseOfTheTerminal(t *testing.T) {
	records := testfile.Read(t, "../../../../servers/relay/results.jsonl", record.Read)
	page := says(pages(t, site.Facts{Local: []site.Local{{Records: records}}})["index.html"])
	for _, p := range answer.Places(records) {
		for _, want := range []string{p.Winners, p.Sure, p.Next} {
			if !strings.Contains(page, want) {
				t.Errorf("no %q in %s", want, page)
			}
		}
	}
	s := answer.Summarize(records)
	for i, of := range s.Targets {
		for _, c := range s.Columns {
			if figure := c.Text(of, i); !strings.Contains(page, figure) {
				t.Errorf("%s: no %s %s", of.Name, c.Metric.Label, figure)
			}
		}
	}
	if strings.Contains(page, "What changed on main") {
		t.Error("a run of one's own has a main")
	}
}

// The first page names each fault of the newest commit.
func TestTroubles(t *testing.T) {
	failing := long * 6 / 10
	facts := simulated(t, long, 5)
	for n := failing + 1; n < long; n++ {
		facts = without(facts, simulate.SHA(n))
	}
	page := pages(t, facts)["index.html"]
	if got := says(page); !strings.Contains(got, "go-gin failed in ") || !strings.Contains(got, "<script>") || bytes.Contains(page, []byte("<script>alert")) {
		t.Errorf("go-gin failed, and the page says %s", got)
	}
	facts = withoutServer(t, simulated(t, long, 5), simulate.SHA(long-1), "bun-hono")
	if got := says(pages(t, facts)["index.html"]); !strings.Contains(got, "bun-hono was not measured at the newest commit") {
		t.Errorf("bun-hono is missing, and the page says %s", got)
	}
}

// The history begins with the newest event, and names all of them with size, commit and state.
func TestTheHistoryNamesEvents(t *testing.T) {
	facts := simulated(t, long, 3)
	got := says(pages(t, facts)["history/index.html"])
	s, m := build(t, facts)
	for _, e := range get[site.Events](t, s, m.Events).Events {
		for _, want := range []string{e.Server, e.Head[:10]} {
			if !strings.Contains(got, want) {
				t.Errorf("no %s in %s", want, got)
			}
		}
	}
	for _, want := range []string{"accepted by Ann", "fixed at", "improved", "servers: change 12 of something"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	year := testfile.Read(t, "../../../../servers/releases.jsonl", verdict.ReadSteps)
	if empty := string(pages(t, site.Facts{Releases: year})["history/index.html"]); !strings.Contains(empty, `aria-label="A year of releases`) || !strings.Contains(empty, "this is a year of releases") {
		t.Errorf("the empty history has no year of releases: %s", empty)
	}
	if empty := says(pages(t, site.Facts{})["history/index.html"]); !strings.Contains(empty, "No commit has been measured yet") {
		t.Errorf("without a history: %s", empty)
	}
}

// A comparison of main whose run is not in the history has no date. It says that it was shortened, and not confirmed.
func TestAComparisonOfMainSaysWhatItLacks(t *testing.T) {
	var text bytes.Buffer
	base, head := strings.Repeat("1", 40), strings.Repeat("2", 40)
	event := verdict.Event{Schema: verdict.EventSchema, Workload: "relay", Server: "old", Base: base, Head: head, Verdict: verdict.Regressed, Quick: true, Cells: []verdict.EventCell{}}
	if err := verdict.WriteEvents(&text, []verdict.Event{event}); err != nil {
		t.Fatal(err)
	}
	facts := site.Facts{
		Files:   fstest.MapFS{"events/2026/11/" + head + "-1-1.json": {Data: text.Bytes()}},
		Renamed: map[string]map[string]string{"relay": {"old": "new"}},
	}
	s := pages(t, facts)
	got := says(s["comparisons/2026/11/2222222222-1-1.old/index.html"])
	for _, want := range []string{"new · head 2222222222 against base 1111111111 ", answer.Shortened, "head fails, base does not", "No second comparison confirmed it."} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	for path, page := range s {
		if strings.Contains(says(page), "0001") {
			t.Errorf("%s has a date that is unknown", path)
		}
	}
}
