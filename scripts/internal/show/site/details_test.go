package site_test

import (
	"bytes"
	"os"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
)

// Details of a run on somebody's own machine are those of that run.
func TestDetailsOfALocalRun(t *testing.T) {
	records, all, _, err := record.FromRaw("../../judge/record/testdata/mixed")
	if err != nil {
		t.Fatal(err)
	}
	of := record.NewDetails(all)
	s, m := build(t, site.Facts{Local: []site.Local{{Records: records, Details: &of}}})
	run := get[site.Runs](t, s, m.Runs).Runs[0]
	d, err := record.ReadDetails(bytes.NewReader(unzipped(t, s["details/"+run.Run+".json.gz"])))
	if err != nil || !run.Details || len(d.K6Runs) != 2 {
		t.Fatalf("%v; run %+v with %d k6 runs, want 2", err, run, len(d.K6Runs))
	}
	if err := d.Fit(records); err != nil {
		t.Error(err)
	}
}

// Those of the history are written as they were when a page can show them, and else named.
func TestDetailsOfTheHistory(t *testing.T) {
	text, err := os.ReadFile("../../judge/record/testdata/mixed.details.json")
	if err != nil {
		t.Fatal(err)
	}
	facts := simulated(t, long, 3)
	newest, before := record.DetailsPath(pathOf(t, facts, simulate.SHA(long-1))), record.DetailsPath(pathOf(t, facts, simulate.SHA(long-2)))
	s, m := build(t, with(facts, map[string][]byte{newest: text, before: text[:100]}))
	runs := get[site.Runs](t, s, m.Runs).Runs
	if !runs[0].Details || !bytes.Equal(unzipped(t, s["details/"+runs[0].Run+".json.gz"]), text) {
		t.Errorf("the newest run: %+v", runs[0])
	}
	if runs[1].Details || s["details/"+runs[1].Run+".json.gz"] != nil || len(m.Broken) != 1 || m.Broken[0].File != before {
		t.Errorf("the run before: %+v; broken %v, want %s", runs[1], m.Broken, before)
	}
}
