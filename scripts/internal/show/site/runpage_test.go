package site_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/site"
)

// A page as the build leaves it, where a run's data is to stand.
const emptyPage = `<!doctype html><title><!--title--></title><main><!--answer--></main><script type="application/json" id="data"><!--data--></script><script>go()</script>`

func runPage(t *testing.T, page string, records []record.Record, all []record.K6Details, answers ...verdict.Answer) (string, error) {
	t.Helper()
	var out bytes.Buffer
	var of *record.Details
	if len(all) > 0 {
		d := record.NewDetails(all)
		of = &d
	}
	err := site.WriteRunPage(&out, fstest.MapFS{"report.html": {Data: []byte(page)}}, records, of, answers)
	return out.String(), err
}

type inlined struct {
	Manifest site.Manifest
	Records  string
	Details  *struct{ Schema int }
}

// dataIn is what a page has between the begin and the end of its data, as the browser
// finds them.
func dataIn(t *testing.T, page string) (of inlined, text string) {
	t.Helper()
	_, text, _ = strings.Cut(page, `<script type="application/json" id="data">`)
	text, rest, _ := strings.Cut(text, "</script>")
	if rest != "<script>go()</script>" {
		t.Fatalf("the page ends with %.200s", rest)
	}
	if err := json.Unmarshal([]byte(text), &of); err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	return of, text
}

func TestWriteRunPage(t *testing.T) {
	records, all, _, err := record.FromRaw("../../judge/record/testdata/mixed")
	if err != nil {
		t.Fatal(err)
	}
	page, err := runPage(t, emptyPage, records, all)
	if err != nil {
		t.Fatal(err)
	}
	of, _ := dataIn(t, page)
	if !strings.Contains(page, "<title>A shortened run of relay ranks nothing</title>") || !strings.Contains(says([]byte(page)), "All servers") {
		t.Errorf("no answer in %.400s", page)
	}
	if len(of.Manifest.Servers) > 0 && of.Manifest.Servers[0].Workload == "" {
		t.Error("a server without its workload")
	}
	if of.Details == nil || of.Details.Schema == 0 || len(of.Manifest.Servers) == 0 || len(of.Manifest.Metrics) == 0 {
		t.Errorf("details %v, %d servers, %d metrics: want all of them", of.Details, len(of.Manifest.Servers), len(of.Manifest.Metrics))
	}
	// The page reads figures beside their target (gh-pages/src/data/run.ts).
	head, lines, _ := strings.Cut(of.Records, "\n")
	if !strings.HasPrefix(head, `{"figures":1,`) {
		t.Errorf("the first line is not that of the figures: %.200s", head)
	}
	if read, err := record.Read(strings.NewReader(lines)); err != nil || len(read) != len(records) {
		t.Errorf("%d records, %v; want %d", len(read), err, len(records))
	}

	page, err = runPage(t, emptyPage, records, nil)
	if of, _ := dataIn(t, page); err != nil || of.Details != nil {
		t.Errorf("without details: %v, %v", of.Details, err)
	}
	for i := range records {
		records[i].Server.Side = "head"
	}
	if page, err = runPage(t, emptyPage, records, all); err == nil || page != "" {
		t.Errorf("a comparison without verdicts: %v; want an error and no page", err)
	}
}

// Texts in records come from outside. In a page's script they must neither end the script nor begin a
// comment.
func TestRunPageEscapes(t *testing.T) {
	records, all, _, err := record.FromRaw("../../judge/record/testdata/mixed")
	if err != nil {
		t.Fatal(err)
	}
	const hostile = "</script><script>alert(1)</script><!-- <script> ]]> \u2028 &lt;"
	for i := range records {
		records[i].Status, records[i].Why = record.Warning, []string{hostile}
		records[i].Server.Versions = map[string]string{hostile: hostile}
		records[i].Run.ID = records[i].Run.ID + hostile
		records[i].Server.Name += hostile
	}
	for i := range all {
		all[i].Run, all[i].Scenario = records[0].Run.ID, hostile
	}
	page, err := runPage(t, emptyPage, records, all)
	if err != nil {
		t.Fatal(err)
	}
	of, text := dataIn(t, page)
	if at := strings.IndexAny(text, "<>&\u2028"); at >= 0 {
		t.Errorf("%.40q in the data", text[at:])
	}
	if strings.Contains(page, "<script>alert") || !strings.Contains(page, html.EscapeString("</script><script>alert(1)")) {
		t.Error("the answer has a script of the records, or not their text")
	}
	if of.Details == nil {
		t.Error("no details: want them, with the hostile scenario")
	}
}

func TestWriteRunPageWithoutAPage(t *testing.T) {
	records, _, _, err := record.FromRaw("../../judge/record/testdata/mixed")
	if err != nil {
		t.Fatal(err)
	}
	if err := site.WriteRunPage(&bytes.Buffer{}, fstest.MapFS{}, records, nil, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want that there is no page", err)
	}
	if out, err := runPage(t, "<!doctype html>", records, nil); err == nil || out != "" {
		t.Errorf("%q, %v; want an error for a page without a place for the data", out, err)
	}
	if _, err := runPage(t, emptyPage, nil, nil); err == nil {
		t.Error("want an error without records")
	}
}
