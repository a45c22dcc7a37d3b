package branch

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// mixed are the records of a real run: one server is well, one has every tenth
// stream fail, one fails all, one never got ready.
func mixed(t *testing.T) []record.Record {
	t.Helper()
	return testfile.Read(t, "../../judge/record/testdata/mixed.jsonl", record.Read)
}

// one is the record of a healthy server on a level of stress.
func one(t *testing.T) record.Record { return in(t, "stress-200") }

func in(t *testing.T, scenario string) record.Record {
	for _, r := range mixed(t) {
		if r.Server.Name == "go-http" && r.Scenario == scenario {
			r.Run.Quick = false
			return r
		}
	}
	t.Fatal("no such record")
	panic("")
}

func pointNames(points []Bench) (all []string) {
	for _, p := range points {
		all = append(all, fmt.Sprintf("%s: %g %s", p.Name, p.Value, p.Unit))
	}
	return all
}

func TestOnlyKnownFiguresArePoints(t *testing.T) {
	stress, paced := one(t), in(t, "baseline")
	steady := paced
	steady.Scenario, steady.Metrics = "steady", record.Metrics{"failed_pct": new(float64)}
	set := func(r record.Record, name string, v float64) { r.Metrics[name] = &v }
	set(stress, "rate_x_direct", 0.8123456)
	set(stress, "server_rss_peak_bytes", 32.5e6)
	set(paced, "ttft_p95_overhead_ms", -0.25)
	set(steady, "server_cpu_x_rig", 1.375)
	epoch := ", epoch " + record.Epoch(stress)
	records := []record.Record{paced, steady, stress}
	bigger, smaller := Points(records)
	if got := pointNames(bigger); !reflect.DeepEqual(got, []string{"relay/go-http stress-200 x direct" + epoch + ": 0.81235 ratio"}) {
		t.Errorf("bigger %q", got)
	}
	if got := pointNames(smaller); !reflect.DeepEqual(got, []string{
		"relay/go-http steady CPU x rig" + epoch + ": 1.375 ratio", "relay/go-http baseline TTFT p95 overhead" + epoch + ": -0.25 ms overhead", "relay/go-http stress-200 peak RSS" + epoch + ": 32.5 MB",
	}) {
		t.Errorf("smaller %q", got)
	}
	steady.Metrics["server_cpu_x_rig"], stress.Metrics["rate_x_direct"] = nil, nil
	bigger, smaller = Points(records)
	if len(bigger) != 0 || len(smaller) != 2 {
		t.Errorf("unknown: %q, %q", pointNames(bigger), pointNames(smaller))
	}
	for _, p := range must(Points(mixed(t))) {
		if !strings.HasPrefix(p.Name, "relay/go-http ") || !strings.HasSuffix(p.Name, " (quick)") || p.Value == 0 {
			t.Errorf("a point of direct, of a server without figures, or in the series of whole runs: %+v", p)
		}
	}
	if n := len(must(Points(mixed(t)))); n != 4 { // all but that of steady, which was not loaded
		t.Errorf("%d points", n)
	}
}

func must(bigger, smaller []Bench) []Bench { return append(bigger, smaller...) }

func TestAPointIsTheMeanOfTheRounds(t *testing.T) {
	var records []record.Record
	for i, rate := range []float64{0.1, 0.7, 0.2, -1} {
		r := one(t)
		r.Round = i + 1
		if r.Metrics["rate_x_direct"] = &rate; rate < 0 { // a round that was invalid
			r.Metrics["rate_x_direct"], r.Status = nil, record.Invalid
		}
		if i == 1 {
			r.Status = record.Warning
		}
		records = append(records, r)
	}
	bigger, _ := Points(records)
	want := Bench{Name: "relay/go-http stress-200 x direct, epoch " + record.Epoch(records[0]), Unit: "ratio", Value: 0.24101, Range: "0.1 to 0.7", Extra: "3 of 4 rounds, 1 with a warning"}
	if len(bigger) != 1 || bigger[0] != want {
		t.Errorf("%+v, want %+v", bigger, want)
	}
}

// The alert divides: what is near 0, or below, is shown to it as the floor.
func TestTheAlertIsShownAFloor(t *testing.T) {
	points := []Bench{{Name: "a", Unit: record.MSOverhead, Value: -0.3}, {Name: "b", Unit: record.MSOverhead, Value: 0}, {Name: "c", Unit: record.MSOverhead, Value: 7.5}, {Name: "d", Unit: "ratio", Value: 0.01}}
	want := []Bench{
		{Name: "a", Unit: record.MSOverhead, Value: 5, Extra: "raised to 5, the floor; it was -0.3"}, {Name: "b", Unit: record.MSOverhead, Value: 5, Extra: "raised to 5, the floor; it was 0"}, points[2], points[3],
	}
	if got := Alert(points); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	c := Chart{Entries: map[string][]Entry{Smaller: {{Benches: points}}}}
	if got := AlertChart(c).Entries[Smaller][0].Benches; !reflect.DeepEqual(got, want) {
		t.Errorf("chart: %+v", got)
	}
	if points[0].Value != -0.3 || c.Entries[Smaller][0].Benches[0].Value != -0.3 {
		t.Error("what is kept was changed")
	}
}

func TestTheSummaryAnswersFirst(t *testing.T) {
	p := plan.Plan{Kind: plan.Main, Revision: strings.Repeat("ab", 20), Servers: []workload.Server{{Workload: "relay", Name: "all-fail"}, {Workload: "relay", Name: "go-http"}, {Workload: "relay", Name: "go-gin"}}, Scenarios: map[string]string{"relay": "baseline,stress"}, Rounds: 1, Leaderboard: 3, Reason: "see `@all`"}
	result := artifact.Result{Records: map[string][]record.Record{}, Leaderboards: map[string][]record.Record{"relay": mixed(t)}, Missing: []string{"relay.go-gin"}, Refused: []artifact.Refusal{{Artifact: "x", Why: "is no zip"}}}
	for _, r := range mixed(t) {
		for _, name := range []string{"all-fail", "go-http"} {
			if r.Server.Name == name || r.Server.Name == "direct" {
				r.Run.ID = "records" + name // a run of its own
				result.Records["relay."+name] = append(result.Records["relay."+name], r)
			}
		}
	}
	var got strings.Builder
	if err := Summary(&got, p, result, "A note."); err != nil {
		t.Fatal(err)
	}
	text := got.String()
	for _, want := range []string{
		"**2 of 3 servers measured at `abababababab`**, 4 of 16 records invalid: rounds: 1, leaderboard rounds: 3; relay: baseline, stress.\n",
		"Missing: relay.go-gin.", "- `x`: `is no zip`", "Started by hand: `see '@all'`", "A note.",
		"### Leaderboard of relay: servers against each other", "tenth-fails", "### Trend runs: each server against its own history",
		"| server | stress-100: x direct, ratio |", "| relay/all-fail | ? | ? | ? | ? | ? |", "| relay/go-http | 0.88825 | 0.72799 | ? | 0.457 | ",
		"- relay/all-fail baseline: invalid: `all ", "- epoch " + record.Epoch(mixed(t)[0]) + ": `Intel(R) Xeon(R) Processor`, 2 cores, ",
	} {
		_, rest, ok := strings.Cut(text, want)
		if !ok {
			t.Fatalf("no %q behind the one before it in:\n%s", want, got.String())
		}
		text = rest
	}
	if strings.Contains(text, "- epoch") {
		t.Errorf("one epoch twice:\n%s", text)
	}
	// Another machine is another epoch.
	for i := range result.Records["relay.go-http"] {
		result.Records["relay.go-http"][i].Host.Cores++
	}
	got.Reset()
	if err := Summary(&got, p, result, ""); err != nil || strings.Count(got.String(), "- epoch ") != 2 {
		t.Errorf("%v:\n%s", err, got.String())
	}
	// Nothing at all.
	got.Reset()
	if err := Summary(&got, p, artifact.Result{Missing: []string{"relay.go-gin"}}, ""); err != nil || !strings.HasPrefix(got.String(), "**0 of 3 servers measured at `abababababab`**, no leaderboard of relay: ") || strings.Contains(got.String(), "###") {
		t.Errorf("%v:\n%s", err, got.String())
	}
}

// What ails the machine is said once, and a flood of reasons is cut.
func TestReasonsAreSaidOnce(t *testing.T) {
	var records []record.Record
	for i := range 30 {
		for range 3 {
			r := one(t)
			r.Status, r.Why = record.Warning, []string{fmt.Sprint("reason ", i)}
			records = append(records, r)
		}
	}
	got := reasons(records)
	if len(got) != maxReasons+1 || got[0] != "relay/go-http stress-200 and 2 more: warning: reason 0" || !strings.HasPrefix(got[maxReasons], "10 more reasons") {
		t.Errorf("%q", got)
	}
}
