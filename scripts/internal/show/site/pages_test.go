package site_test

import (
	"maps"
	"regexp"
	"slices"
	"testing"
	"testing/fstest"

	"fairstream/scripts/internal/show/site"
)

// Pages are what was built, and Trend's names the files that it reads first.
func TestPages(t *testing.T) {
	built, err := site.Build(simulated(t, long, 5), func(string, []byte) error { return nil }, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	pages := fstest.MapFS{
		"index.html": {Data: []byte("<a></a>")}, "trend/index.html": {Data: []byte("<!--early--><a></a>")},
		"assets/a.js": {Data: []byte("<!--early-->")}, ".sources": {Data: []byte("x")}, "report.html": {Data: []byte("<!--data-->")},
	}
	s := written{}
	if err := site.Pages(pages, built, func(path string, data []byte) error { s[path] = data; return nil }); err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(s)), []string{"assets/a.js", "index.html", "trend/index.html"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	trend := regexp.MustCompile(`^<meta name="early" content="data/s/stress-100/rate_per_s\.[0-9a-f]{10}\.json data/commits\.[0-9a-f]{10}\.json"><a></a>$`)
	if !trend.Match(s["trend/index.html"]) || string(s["assets/a.js"]) != "<!--early-->" {
		t.Errorf("%q, %q", s["trend/index.html"], s["assets/a.js"])
	}
}
