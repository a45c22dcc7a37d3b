package history

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page reads the file that this package writes, asks nobody else for
// anything, and makes text of whatever it reads.
func TestThePageReadsTheChartAsText(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile("../../gh-pages/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	page, script, style := read("index.html"), read("site.js"), read("site.css")
	for _, want := range []string{"'" + prefix + "'", "fetch('" + ChartPath + "'", "No data yet."} {
		if !strings.Contains(script, want) {
			t.Errorf("site.js lacks %q", want)
		}
	}
	if !strings.Contains(page, `http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self';`) {
		t.Error("index.html has no strict Content-Security-Policy")
	}
	for _, unsafe := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "unsafe-inline"} {
		if strings.Contains(page+script, unsafe) {
			t.Errorf("%s is in the page", unsafe)
		}
	}
	const namespace = "http://www.w3.org/2000/svg" // a name, never asked for
	if found := regexp.MustCompile(`https?://[a-z][^'" ]*|@import|url\(`).FindString(strings.ReplaceAll(page+script+style, namespace, "")); found != "" {
		t.Errorf("%q: the page asks others", found)
	}
}
