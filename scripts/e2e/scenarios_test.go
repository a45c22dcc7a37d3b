package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/workload"
)

// What each script plans for three targets, as k6 reads it. A round has to be short, and records are called as scenarios.
func TestPlansOfScripts(t *testing.T) {
	const compared = "baseline steady stress-100 stress-200"
	for _, c := range []struct {
		script      string
		only        []string
		quick       bool
		least, most time.Duration
		records     string
	}{
		{record.Ranking, nil, false, 36 * time.Second, 38 * time.Second, "baseline steady stress-10 stress-100 stress-200"},
		{record.Ranking, []string{"steady"}, false, 17 * time.Second, 17 * time.Second, "steady"},
		{record.Ranking, []string{"stress", "baseline"}, true, 4 * time.Second, 5 * time.Second, "baseline stress-10 stress-100 stress-200"},
		{"soak", []string{"steady"}, false, 10 * time.Minute, 10 * time.Minute, "soak"},
		{"compare", nil, false, 12 * time.Second, 13_500 * time.Millisecond, compared},
		{"compare", nil, true, 4 * time.Second, 8 * time.Second, compared},
	} {
		plan := planOf(t, load.K6Command{Workload: "relay", Scenario: c.script, Only: c.only, Quick: c.quick})
		var records []string
		for _, p := range plan.Levels {
			records = append(records, record.Scenario(c.script, p))
		}
		if got := strings.Join(records, " "); got != c.records || plan.Duration < c.least || plan.Duration > c.most {
			t.Errorf("%s of %q, quick %v: %v of %s; want %v to %v of %s", c.script, c.only, c.quick, plan.Duration, got, c.least, c.most, c.records)
		}
	}
	// Flags set both lengths: two levels of 2 s, and a slice for each target on two.
	if got := planOf(t, load.K6Command{Workload: "relay", Scenario: "compare", LoadMS: 2000, LoadChange: raw.LoadChange{SliceMS: 2000}}).Duration; got != 16*time.Second {
		t.Errorf("compare of 2 s and slices of 2 s plans %v, want 16 s", got)
	}
}

// A ranking has all levels that internal/workload lists, and a comparison those that it judges. Both have their order.
func TestScriptsHaveTheLevelsOfTheirWorkload(t *testing.T) {
	for _, w := range workload.All {
		if w.Scripted {
			continue // its scripts are the servers' own
		}
		var all []string
		for _, s := range w.Scenarios {
			names := workload.Criterion{Scenario: s.Name, Levels: s.Levels}.Records()
			all = append(all, names...)
			if got := planOf(t, load.K6Command{Workload: w.Name, Scenario: record.Ranking, Only: []string{s.Name}}).Levels; !slices.Equal(got, names) {
				t.Errorf("%s of %s has the levels %q; want %q", s.Name, w.Name, got, names)
			}
		}
		for script, want := range map[string][]string{record.Ranking: all, record.Compare: w.ComparedRecords(), w.Soak.Name: {""}} {
			if got := planOf(t, load.K6Command{Workload: w.Name, Scenario: script}).Levels; !slices.Equal(got, want) {
				t.Errorf("%s of %s has the levels %q; want %q", script, w.Name, got, want)
			}
		}
	}
}

func planOf(t *testing.T, job load.K6Command) load.K6Plan {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	job.K6, job.Targets = filepath.Join(root, "k6"), []load.K6Target{{Name: "a@base"}, {Name: "a@head"}, {Name: "direct"}}
	file, remove, err := job.WriteTargets()
	if err != nil {
		t.Fatal(err)
	}
	defer remove() // the system would remove it some day
	args := job.InspectArgs(file)
	out, err := exec.Command(args[0], args[1:]...).Output()
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	plan, err := load.ParseK6Plan(out)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// A run of the scenario compare is one k6 run, and has the records of three scenarios.
func TestARunOfCompare(t *testing.T) {
	p := newProject(t)
	p.copy("../servers/relay/go-http", "servers/relay/go-http")
	p.bench("run", "-quick", "-rounds", "1", "-scenario", "compare,steady", "-o", "raw").expect(t, 2, `scenario "compare": its records have the same names as those of baseline, steady, stress; load it alone`)
	r := p.bench("run", "-quick", "-rounds", "1", "-scenario", "compare", "-o", "raw")
	r.expect(t, 0)
	records, details, planned, err := record.FromRaw(filepath.Join(p.root, "raw"))
	p.must(err)
	if len(records) != 8 || planned != 8 || len(details) != 1 || len(details[0].Durations) != 8 {
		t.Fatalf("%d records of %d, %d details", len(records), planned, len(details))
	}
	program, err := os.Stat(filepath.Join(p.root, "servers/relay/go-http/bin/server"))
	p.must(err)
	var names []string
	for _, rec := range records {
		names = append(names, rec.Scenario)
		_, cost := rec.Metrics.Get("server_cpu_us_per_stream")
		_, share := rec.Metrics.Get("server_share_pct")
		_, level := record.Level(rec.Scenario)
		if server := rec.Server.Name != "direct"; cost != server || share != (server && level != "") {
			t.Errorf("%s %s: cost is known: %v, share: %v; %s %q", rec.Target(), rec.Scenario, cost, share, rec.Status, rec.Why)
		}
		size, sized := rec.Metrics.Get("deployed_bytes")
		start, answered := rec.Metrics.Get("first_answer_ms")
		if server := rec.Server.Name != "direct"; sized != server || answered != server || server && (int64(size) != program.Size() || start <= 0 || start > 5000) {
			t.Errorf("%s %s: %g bytes (%v), want %d; first answer after %g ms (%v)", rec.Target(), rec.Scenario, size, sized, program.Size(), start, answered)
		}
		if c := rec.Conditions; c.OthersPct == nil || c.StealPct == nil || c.LoadBefore == nil {
			t.Errorf("%s %s: conditions %+v", rec.Target(), rec.Scenario, c)
		}
	}
	if got := strings.Join(slices.Compact(names), " "); got != "baseline steady stress-100 stress-200" {
		t.Errorf("records of %s", got)
	}
	for _, want := range []string{"\nbaseline\n", "\nsteady\n", "\nstress-100\n", "\nstress-200\n"} {
		if full := p.bench("report", "-full", "raw/"+recordsFile); !strings.Contains("\n"+full.stdout, want) {
			t.Errorf("no table %q in\n%s", want, full.stdout)
		}
	}
}
