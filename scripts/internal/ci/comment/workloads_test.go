package comment

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
	"fairstream/scripts/internal/workload/workloadtest"
)

// ofMadeUp makes records of a comparison those of the made-up workload, which has other cells.
func ofMadeUp(t *testing.T, records []record.Record) []record.Record {
	t.Helper()
	w := workloadtest.Add(t)
	records = slices.DeleteFunc(records, func(r record.Record) bool { return r.Scenario == "baseline" })
	for i, r := range records {
		if records[i].Workload = w.Name; r.Scenario == "steady" {
			records[i].Scenario = "calm"
		}
	}
	return records
}

// A pull request may change servers of two workloads, even of one name.
func TestACommentHasATableForEachWorkload(t *testing.T) {
	slower := map[string]float64{"rate_per_s": 0.7}
	p, result := asked, uploads(nil, job("go-http", 4, 1, nil))
	p.Servers = append(relay("go-http"), workload.Server{Workload: workloadtest.MadeUp, Name: "go-http"})
	result.Records["made-up.go-http"] = ofMadeUp(t, job("go-http", 4, 1, slower))
	got := Answer(p, result, Judge(result), "", run)
	for _, want := range []string{
		"**made-up/go-http**: regressed: ", "**relay/go-http**: no change in ",
		"- rate of false alarms: 1 % over 2 servers", "<summary>All 12 cells of relay</summary>\n\n**relay/go-http**\n",
		"<summary>All 5 cells of made-up</summary>\n\n**made-up/go-http**\n", "-n raw-made-up.go-http-1 -D comparison-made-up.go-http",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	var states []string
	for _, s := range Statuses(p, Judge(result), run) {
		states = append(states, s.Context+" "+s.State)
	}
	if want := []string{"fairstream/relay.go-http success", "fairstream/made-up.go-http failure"}; !slices.Equal(states, want) {
		t.Errorf("statuses %q, want %q", states, want)
	}
}

// benchstat knows a server by its name alone.
func TestBenchstatTakesOneWorkloadAtATime(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	records := append(job("go-http", 6, 1, nil), ofMadeUp(t, job("go-http", 6, 1, nil))...)
	got, err := Benchstat(t.Context(), root, records)
	if err != nil {
		t.Fatal(err)
	}
	relay, other, ok := strings.Cut(got, "workload made-up\n")
	if !ok || !strings.HasPrefix(relay, "workload relay\n") {
		t.Fatalf("no part for each workload:\n%s", got)
	}
	for text, want := range map[string][2]int{"go-http steady": {4, 0}, "go-http calm": {0, 1}, "n=6": {14, 7}} {
		if n := [2]int{strings.Count(relay, text), strings.Count(other, text)}; n != want {
			t.Errorf("%q is there %d times, want %d:\n%s", text, n, want, got)
		}
	}
}
