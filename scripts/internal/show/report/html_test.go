package report

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// Records may come from others: no text of theirs is ever markup.
func TestForeignTextIsEscaped(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=http://127.0.0.1/x>&`
	records := run()
	for i := range records {
		r := &records[i]
		text := evil
		if isServer(*r) {
			r.Server.Name += evil
		}
		r.Server.Language, r.Server.Framework, r.Run.ID, r.Host.CPU, r.Host.OS, r.Run.Commit, r.Run.Placement = evil, evil, evil, &text, &text, &text, evil
		r.Server.Versions, r.Tools = map[string]string{evil: evil}, map[string]string{"k6": evil, evil: evil}
		r.Status, r.Why = record.Suspect, []string{evil}
	}
	d := detailsOf(1)
	d.Run, d.Target, d.Scenario = evil, evil, evil
	for i := range d.Turns {
		d.Turns[i].Plateau, d.Turns[i].Rates = evil, map[string]float64{evil: 1}
	}
	for i := range d.Timelines {
		d.Timelines[i].Process = evil
	}
	for i := range d.Durations {
		d.Durations[i].Target, d.Durations[i].Scenario = evil, evil
	}
	got := written(t, "html", records, d)
	for _, markup := range []string{"<script", "<img", `"">`} {
		if strings.Contains(got, markup) {
			t.Errorf("%q got through", markup)
		}
	}
	if n := strings.Count(got, "&lt;script&gt;"); n < 50 {
		t.Errorf("the text is there %d times; is it shown at all?", n)
	}
	whole(t, got)
}

// whole reads a page as XML: every element that is opened is closed.
func whole(t *testing.T, page string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(page))
	dec.Strict, dec.AutoClose, dec.Entity = false, []string{"meta"}, xml.HTMLEntity
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAPageNeedsNothingElse(t *testing.T) {
	got := written(t, "html", run(), detailsOf(1))
	whole(t, got)
	for _, asks := range []string{`<script`, `<link`, `@import`, `url\(`, ` src=`, `href="[^#]`, `javascript:`, ` on[a-z]+=`} {
		if at := regexp.MustCompile(asks).FindString(got); at != "" {
			t.Errorf("%q: want none in a page that works without scripts and requests", at)
		}
	}
	for _, want := range []string{"prefers-color-scheme:dark", "@media print", `<h2 id="timelines">`, `<h2 id="distributions">`, `<h2 id="turns">`, `<th scope="row">go-a`, "<caption>stress-200</caption>"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	charts, told := strings.Count(got, "<svg "), strings.Count(got, `role="img" aria-label="`)
	if hidden := strings.Count(got, `<svg aria-hidden="true"`); charts != told+hidden || told < 10 {
		t.Errorf("%d charts, %d with a text, %d hidden; every one is one or the other", charts, told, hidden)
	}
	for _, m := range record.Table {
		if !strings.Contains(got, "<code>"+m.Name+"</code>") {
			t.Errorf("%s is not explained", m.Name)
		}
	}
}

func TestWithoutDetailsAPageSaysSo(t *testing.T) {
	other := detailsOf(1)
	other.Run = "another"
	for _, details := range [][]record.Details{nil, {other}} {
		got := written(t, "html", run(), details...)
		if !strings.Contains(got, "no details.jsonl of this run was beside its records") || strings.Contains(got, `<h2 id="distributions">`) {
			t.Errorf("with %d details of another run: want a page that says why it has no timelines", len(details))
		}
	}
}
