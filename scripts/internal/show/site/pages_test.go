package site_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
)

// The state of a flag, without scripts: fixed is fixed, also when it was accepted
// before; as in gh-pages/src/words/verdict.ts.
func TestStates(t *testing.T) {
	fixed, accepted := simulate.SHA(1), &site.Acknowledged{By: "Ann", Whole: true}
	for _, c := range []struct {
		flag site.Flag
		want string
	}{
		{site.Flag{Verdict: "regressed", Confirmed: true, Acknowledged: accepted, Fixed: &fixed}, "fixed"},
		{site.Flag{Verdict: "regressed", Fixed: &fixed}, "fixed"},
		{site.Flag{Verdict: "regressed", Confirmed: true, Acknowledged: accepted}, "acknowledged"},
		{site.Flag{Verdict: "regressed", Acknowledged: &site.Acknowledged{}}, "not confirmed"},
		{site.Flag{Verdict: "regressed", Confirmed: true, Acknowledged: &site.Acknowledged{}}, "open"},
		{site.Flag{Verdict: "improved"}, "improved"},
	} {
		var page string
		built := site.Built{Flags: []site.Flag{c.flag}}
		err := site.Pages(fstest.MapFS{"regressions/index.html": {Data: []byte("<!--newest-->")}}, built, func(_ string, data []byte) error { page = string(data); return nil })
		if cells := strings.Split(page, `<td class="words">`); err != nil || len(cells) < 3 || !strings.HasPrefix(cells[2], c.want+"</td>") {
			t.Errorf("%+v: %v, want %s:\n%s", c.flag, err, c.want, page)
		}
	}
}

// What pages say without scripts is text, whatever stands in a record.
func TestPages(t *testing.T) {
	facts := simulated(t, long, 5)
	// The failure, whose reason is a script, is the newest.
	for n := long*6/10 + 1; n < long; n++ {
		facts = without(facts, simulate.SHA(n))
	}
	built, err := site.Build(facts, func(string, []byte) error { return nil }, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	pages := fstest.MapFS{
		"index.html": {Data: []byte("<a><!--newest--></a>")}, "leaderboard/index.html": {Data: []byte("<a><!--newest--></a>")}, "trend/index.html": {Data: []byte("<!--early--><a><!--newest--></a>")},
		"assets/a.js": {Data: []byte("<!--newest-->")}, ".sources": {Data: []byte("x")}, "report.html": {Data: []byte("<!--data-->")},
	}
	s := written{}
	if err := site.Pages(pages, built, func(path string, data []byte) error { s[path] = data; return nil }); err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(s)), []string{"assets/a.js", "index.html", "leaderboard/index.html", "trend/index.html"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	for path, want := range map[string][]string{
		"index.html":             {"regressed, confirmed", "stress-100 req/s -6.0 % [-7.0 to -5.0 %]", "<th scope=\"row\">direct</th>", "&lt;script&gt;alert(1)", `<td class="words">fixed</td>`, "<td>failed</td>"},
		"leaderboard/index.html": {"CPU µs/stream in steady", "times the first", "invalid; no stream came whole"},
	} {
		for _, text := range want {
			if !strings.Contains(string(s[path]), text) {
				t.Errorf("%s lacks %q:\n%s", path, text, s[path])
			}
		}
		if n := strings.Count(string(s[path]), "<table>"); n == 0 || n != strings.Count(string(s[path]), `tabindex="0"><table>`) {
			t.Errorf("%s: of %d tables some are in no region that scrolls", path, n)
		}
		if strings.Contains(string(s[path]), "<script") || strings.Contains(string(s[path]), "<!--newest-->") {
			t.Errorf("%s: %s", path, s[path])
		}
	}
	trend := regexp.MustCompile(`^<meta name="early" content="(data/o/stress-100/rate_per_s\.[0-9a-f]{10}\.json( data/s/stress-100/rate_per_s/\d+\.[0-9a-f]{10}\.json)+( data/c/\d+\.[0-9a-f]{10}\.json)+)"><a></a>$`)
	if !trend.Match(s["trend/index.html"]) || string(s["assets/a.js"]) != "<!--newest-->" {
		t.Errorf("%q, %q", s["trend/index.html"], s["assets/a.js"])
	}
	if err := site.Pages(pages, site.Built{}, func(path string, data []byte) error { s[path] = data; return nil }); err != nil || !strings.Contains(string(s["index.html"]), "No run of all servers together yet") {
		t.Errorf("without a history: %v, %s", err, s["index.html"])
	}
}
