package collect

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/artifact"
	"fairstream/scripts/history"
	"fairstream/scripts/plan"
	"fairstream/scripts/record"
)

// mixed are the records of a real run: one server is well, one has every tenth
// stream fail, one fails all, one never got ready.
func mixed(t *testing.T) []record.Record {
	t.Helper()
	f, err := os.Open("../record/testdata/mixed.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := record.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// one is the record of a healthy server under stress.
func one(t *testing.T) record.Record {
	for _, r := range mixed(t) {
		if r.Server.Name == "go-http" && r.Scenario == "stress" {
			r.Run.Quick = false
			return r
		}
	}
	t.Fatal("no such record")
	panic("")
}

func names(points []history.Bench) (all []string) {
	for _, p := range points {
		all = append(all, fmt.Sprintf("%s: %g %s", p.Name, p.Value, p.Unit))
	}
	return all
}

func TestOnlyKnownFiguresArePoints(t *testing.T) {
	r := one(t)
	for name, v := range map[string]float64{"rate_per_s": 2335.1234, "stream_p95_ms": 52.25, "server_rss_peak_bytes": 32.5e6} {
		r.Metrics[name] = &v
	}
	bigger, smaller := Points([]record.Record{r})
	if got := names(bigger); !reflect.DeepEqual(got, []string{"go-http stress req/s: 2335.1 req/s"}) {
		t.Errorf("bigger %q", got)
	}
	if got := names(smaller); !reflect.DeepEqual(got, []string{"go-http stress p95 ms: 52.25 ms", "go-http stress peak RSS MB: 32.5 MB"}) {
		t.Errorf("smaller %q", got)
	}
	r.Metrics["stream_p95_ms"], r.Metrics["rate_per_s"] = nil, nil
	bigger, smaller = Points([]record.Record{r})
	if len(bigger) != 0 || !reflect.DeepEqual(names(smaller), []string{"go-http stress peak RSS MB: 32.5 MB"}) {
		t.Errorf("unknown: %q, %q", names(bigger), names(smaller))
	}
	for _, p := range must(Points(mixed(t))) {
		if strings.HasPrefix(p.Name, "tenth-fails") || strings.HasPrefix(p.Name, "all-fail") || strings.HasPrefix(p.Name, "mute") || p.Value == 0 {
			t.Errorf("a point of a server without figures: %+v", p)
		}
	}
}

func must(bigger, smaller []history.Bench) []history.Bench { return append(bigger, smaller...) }

func TestAPointIsTheMedianOfTheRounds(t *testing.T) {
	var records []record.Record
	for i, rate := range []float64{10, 70, 20, -1} {
		r := one(t)
		r.Round = i + 1
		if r.Metrics["rate_per_s"] = &rate; rate < 0 { // a round that was invalid
			r.Metrics["rate_per_s"], r.Status = nil, record.Invalid
		}
		if i == 1 {
			r.Status = record.Suspect
		}
		records = append(records, r)
	}
	bigger, _ := Points(records)
	want := history.Bench{Name: "go-http stress req/s", Unit: "req/s", Value: 20, Range: "10 to 70", Extra: "3 of 4 rounds, 1 suspect"}
	if len(bigger) != 1 || bigger[0] != want {
		t.Errorf("%+v, want %+v", bigger, want)
	}
}

func TestShortenedScenariosAreSeriesOfTheirOwn(t *testing.T) {
	r := one(t)
	r.Run.Quick = true
	points := must(Points([]record.Record{r}))
	for _, p := range points {
		if !strings.HasSuffix(p.Name, " (quick)") {
			t.Errorf("%q", p.Name)
		}
	}
	if len(points) != len(series) {
		t.Errorf("%d points, want one of each series", len(points))
	}
}

// The workflow gives the same names to github-action-benchmark.
func TestSuitesHaveTheRecordsSchema(t *testing.T) {
	if history.Bigger != fmt.Sprintf("throughput, records v%d", record.Schema) || history.Smaller != fmt.Sprintf("latency and memory, records v%d", record.Schema) {
		t.Errorf("%q, %q", history.Bigger, history.Smaller)
	}
}

func TestTheSummaryAnswersFirst(t *testing.T) {
	p := plan.Plan{Kind: plan.Main, Revision: strings.Repeat("ab", 20), Servers: []string{"all-fail", "go-http", "go-gin"}, Scenarios: "baseline,stress", Rounds: 1, Reason: "see `@all`"}
	result := artifact.Result{Records: map[string][]record.Record{}, Missing: []string{"go-gin"}, Refused: []artifact.Refusal{{Artifact: "x", Why: "is no zip"}}}
	for _, r := range mixed(t) {
		if r.Server.Name == "all-fail" || r.Server.Name == "go-http" {
			r.Run.ID = "records" + r.Server.Name // a run of its own
			result.Records[r.Server.Name] = append(result.Records[r.Server.Name], r)
		}
	}
	var got bytes.Buffer
	if err := Summary(&got, p, result, "A note."); err != nil {
		t.Fatal(err)
	}
	last := -1
	for _, want := range []string{
		"**2 of 3 servers measured at `abababababab`**, 2 of 4 records invalid: baseline, stress, rounds: 1.\n",
		"Missing: go-gin.", "- `x`: `is no zip`", "Started by hand: `see '@all'`", "A note.", "**baseline**", "| go-http | ", "| all-fail | ? |", "- all-fail: invalid: `no stream came whole",
	} {
		at := strings.Index(got.String(), want)
		if at < 0 || at < last && want != "| all-fail | ? |" {
			t.Errorf("no %q behind the one before it in:\n%s", want, got.String())
		}
		last = max(last, at)
	}
	if n := strings.Count(got.String(), "**stress**"); n != 1 {
		t.Errorf("%d tables of stress, want one: the machine is the same", n)
	}
	// Another machine has tables of its own.
	result.Records["go-http"][0].Host.Cores++
	result.Records["go-http"][1].Host.Cores++
	got.Reset()
	if err := Summary(&got, p, result, ""); err != nil || strings.Count(got.String(), "**stress**") != 2 {
		t.Errorf("%v:\n%s", err, got.String())
	}
	// Nothing at all.
	got.Reset()
	if err := Summary(&got, p, artifact.Result{Missing: p.Servers}, ""); err != nil || !strings.HasPrefix(got.String(), "**0 of 3 servers measured") {
		t.Errorf("%v:\n%s", err, got.String())
	}
}
