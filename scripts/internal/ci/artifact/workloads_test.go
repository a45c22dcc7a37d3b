package artifact

import (
	"archive/zip"
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload/workloadtest"
)

// planOfTwo has a leaderboard run for each of two workloads, and other scenarios in the made-up one.
func planOfTwo(t *testing.T) (plan.Plan, []server.Server) {
	t.Helper()
	workloadtest.Add(t)
	p, all := leaderboardPlan, known
	p.Servers = relay("go-http", "go-gin")
	p.Scenarios = map[string]string{"relay": "baseline,stress", workloadtest.MadeUp: "calm"}
	for _, s := range append(slices.Clone(known), server.Server{Name: "go-new", Language: "go", Framework: "net/http"}) {
		s.Workload = workloadtest.MadeUp
		p.Servers, all = append(p.Servers, s.ID()), append(slices.Clip(all), s)
	}
	return p, all
}

// madeUp makes records those of the made-up workload.
func madeUp(records []record.Record) (of []record.Record) {
	for _, r := range records {
		if r.Workload = workloadtest.MadeUp; r.Scenario == "baseline" {
			r.Scenario = "calm"
			of = append(of, r)
		}
	}
	return of
}

// Two workloads may have servers of one name. Each has a leaderboard run, and details beside it.
func TestEachWorkloadHasALeaderboard(t *testing.T) {
	p, all := planOfTwo(t)
	drawn := func(workload, scenario string) []byte {
		var text bytes.Buffer
		d := record.NewDetails([]record.K6Details{{Workload: workload, Scenario: scenario, Round: 1, Timelines: []record.K6Timeline{{Process: "k6", Second: []int64{1}, CPUPct: []float64{7}, RSSBytes: []int64{1 << 20}}}}})
		if err := record.WriteDetails(&text, d); err != nil {
			t.Fatal(err)
		}
		return zipped(t, file{FileHeader: zip.FileHeader{Name: detailsMember}, text: text.String()})
	}
	job := madeUp(rounds(1, "go-http"))
	for i := range job {
		job[i].Run.Rounds = 1
	}
	dir := t.TempDir()
	write(t, dir, "records-relay.leaderboard-1/a.zip", zipped(t, file{text: text(t, rounds(2, "go-gin", "go-http")...)}))
	write(t, dir, "records-relay.leaderboard.details-1/a.zip", drawn("relay", "baseline"))
	write(t, dir, "records-made-up.leaderboard-2/a.zip", zipped(t, file{text: text(t, madeUp(rounds(2, "go-gin", "go-http", "go-new"))...)}))
	write(t, dir, "records-made-up.leaderboard.details-2/a.zip", drawn(workloadtest.MadeUp, "calm"))
	write(t, dir, "records-made-up.go-http-1/a.zip", zipped(t, file{text: text(t, job...)}))
	got, err := Read(dir, p, all, Run{})
	if err != nil || len(got.Refused) > 0 {
		t.Fatalf("%v, refused %q", err, got.Refused)
	}
	if relay, other := got.Leaderboards["relay"], got.Leaderboards[workloadtest.MadeUp]; len(relay) != 18 || len(other) != 8 || len(got.Ranked()) != 26 || got.Ranked()[18].Workload != workloadtest.MadeUp {
		t.Errorf("leaderboards of %d and %d records, %d together", len(relay), len(other), len(got.Ranked()))
	}
	if len(got.Details) != 2 || got.Details["relay"].Workload != "relay" || got.Details[workloadtest.MadeUp].Workload != workloadtest.MadeUp {
		t.Errorf("details %v", got.Details)
	}
	if len(got.Records["made-up.go-http"]) != 2 {
		t.Errorf("records of %d jobs", len(got.Records))
	}
	if want := []string{"relay.go-http", "relay.go-gin", "made-up.go-gin", "made-up.go-new"}; !reflect.DeepEqual(got.Missing, want) {
		t.Errorf("missing %q, want %q", got.Missing, want)
	}
}

// No artifact can pass for one of another workload.
func TestWorkloadsDoNotMix(t *testing.T) {
	p, all := planOfTwo(t)
	both := append(rounds(2, "go-gin"), madeUp(rounds(2, "go-http"))...)
	strange := madeUp(rounds(2, "go-gin", "go-http", "go-new"))
	for i := range strange {
		strange[i].Scenario = "baseline"
	}
	for name, c := range map[string]struct {
		artifact string
		records  []record.Record
		want     string
	}{
		"another's leaderboard": {"records-relay.leaderboard-1", madeUp(rounds(2, "go-gin", "go-http", "go-new")), `records of made-up.leaderboard in the artifact of "relay.leaderboard"`},
		"both":                  {"records-relay.leaderboard-1", both, "workload is another than in line 1"},
		"both in their rounds":  {"records-relay.leaderboard-1", append(rounds(2, "go-gin", "go-http"), madeUp(rounds(2, "go-http"))...), "workload is another than in line 1"},
		"another's scenario":    {"records-made-up.leaderboard-1", strange, `scenario "baseline" is not in the plan; it has calm`},
	} {
		dir := t.TempDir()
		write(t, dir, c.artifact+"/a.zip", zipped(t, file{text: text(t, c.records...)}))
		got, err := Read(dir, p, all, Run{})
		if err != nil || len(got.Ranked())+len(got.All()) > 0 || len(got.Refused) != 1 || !strings.Contains(got.Refused[0].Why, c.want) {
			t.Errorf("%s: %v, %d records, refused %q; want %q", name, err, len(got.Ranked()), got.Refused, c.want)
		}
	}
}
