package site_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/page"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
	"fairstream/scripts/internal/testfile"
)

// both is a history of two workloads. Both have a server go-http and a scenario stress-100.
func both(t *testing.T) site.Facts {
	t.Helper()
	return simulatedWith(t, simulate.Options{Commits: 12, Servers: 6, Requests: 2, Seed: 7, Details: true})
}

// partOf is the manifest of a workload.
func partOf(t *testing.T, s written, m site.Manifest, name string) site.Manifest {
	t.Helper()
	i := slices.IndexFunc(m.Workloads, func(w site.WorkloadForm) bool { return w.Name == name })
	if i < 0 || m.Workloads[i].File == nil {
		t.Fatalf("no manifest of %s in %+v", name, m.Workloads)
	}
	return get[site.Manifest](t, s, *m.Workloads[i].File)
}

// Each workload has what it would have alone, and nothing of the other.
func TestWorkloadsAreApart(t *testing.T) {
	s, m := build(t, both(t))
	if m.Workload != "relay" || len(m.Workloads) != 2 || m.Workloads[0].File != nil || m.Workloads[0].Unit != "stream" || m.Workloads[1].Unit != "request" {
		t.Fatalf("workloads: %+v", m.Workloads)
	}
	web := partOf(t, s, m, "web")
	for _, c := range []struct {
		m                site.Manifest
		workload, metric string
		commits, servers int
	}{{m, "relay", "stream_p95_ms", 12, 6}, {web, "web", "request_p95_ms", 6, 2}} {
		commits := get[site.Commits](t, s, c.m.Commits.File)
		if c.m.Workload != c.workload || len(commits.SHA) != c.commits || len(c.m.Servers) != c.servers || len(c.m.Epochs) != 2 {
			t.Errorf("%s: %d commits, servers %+v, %d epochs", c.m.Workload, len(commits.SHA), c.m.Servers, len(c.m.Epochs))
		}
		for _, server := range c.m.Servers {
			if server.Workload != c.workload {
				t.Errorf("%s has the server %+v", c.workload, server)
			}
		}
		for _, metric := range c.m.Metrics {
			if _, ok := record.FindIn(c.workload, metric.Name); !ok {
				t.Errorf("%s has the metric %s", c.workload, metric.Name)
			}
		}
		dir := map[string]string{"web": "web/"}[c.workload]
		of := get[site.Series](t, s, dir+"history/stress-100/"+c.metric+".json")
		if len(of.Servers) != c.servers || len(of.Servers["go-http"].Mid) != c.commits {
			t.Errorf("%s: %s has %d servers", c.workload, c.metric, len(of.Servers))
		}
		k := get[site.Latest](t, s, dir+"latest.json")
		if len(k.Rankings) != 3 || len(k.Rankings[0].Ranked) < 2 || c.workload == "web" && len(k.Rankings[0].Ranked) != 2 || !strings.HasPrefix(k.Answers[1], "Fastest: ") {
			t.Errorf("%s: rankings %+v, answers %q", c.workload, k.Rankings, k.Answers)
		}
		for _, run := range get[site.Runs](t, s, c.m.Runs).Runs {
			if strings.HasSuffix(run.Run, "-2") {
				continue // a trend run alone, once more
			}
			if !run.Details || !run.Leaderboard || len(run.Servers) > c.servers || len(run.Servers) < 2 {
				t.Errorf("%s: run %+v", c.workload, run)
			}
			d, err := record.ReadDetails(bytes.NewReader(unzipped(t, s["details/"+run.Run+".json.gz"])))
			if err != nil || d.Workload != c.workload {
				t.Errorf("%s: details of %s: %v", run.Run, d.Workload, err)
			}
			if strings.HasSuffix(run.Run, ".web") != (c.workload == "web") {
				t.Errorf("%s: the run is %s", c.workload, run.Run)
			}
		}
	}
	if s["web/history/steady/server_cpu_us_per_stream.json"] != nil || s["history/mixed/server_cpu_us_per_request.json"] != nil {
		t.Error("a workload has a series of the other")
	}
}

// The files of a workload do not depend on another one.
func TestAnotherWorkloadChangesNothing(t *testing.T) {
	o := simulate.Options{Commits: 12, Servers: 3, Seed: 7, Details: true}
	alone, a := build(t, simulatedWith(t, o))
	o.Requests = 2
	_, b := build(t, simulatedWith(t, o))
	a.Workloads, b.Workloads = nil, nil
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if !bytes.Equal(x, y) || len(alone) == 0 {
		t.Errorf("the manifest is\n%s\nand with another workload\n%s", x, y)
	}
}

// A run of main may load servers of two workloads. Its files then have lines of both, and are two runs here.
func TestARunOfTwoWorkloads(t *testing.T) {
	facts := both(t)
	var paths []string // of the trend runs of the newest commit with both
	for path := range facts.Files.(fstest.MapFS) {
		if strings.Contains(path, simulate.SHA(10)) && strings.HasPrefix(path, "runs/") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	if len(paths) != 4 || !strings.HasSuffix(paths[1], ".leaderboard.jsonl") && !strings.HasSuffix(paths[0], ".leaderboard.jsonl") {
		t.Fatalf("files %q; want trend runs and a leaderboard run of both", paths)
	}
	read := func(path string) []byte { return facts.Files.(fstest.MapFS)[path].Data }
	slices.SortFunc(paths, func(a, b string) int { // trend runs before leaderboard runs
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	s, m := build(t, with(facts, map[string][]byte{
		paths[0]: slices.Concat(read(paths[0]), read(paths[1])), paths[1]: nil,
		paths[2]: slices.Concat(read(paths[2]), read(paths[3])), paths[3]: nil,
	}))
	web := partOf(t, s, m, "web")
	newest := get[site.Runs](t, s, web.Runs).Runs[0]
	all := get[site.Runs](t, s, m.Runs).Runs
	i := slices.IndexFunc(all, func(r site.RunRow) bool { return r.Run+".web" == newest.Run })
	if i < 0 || !newest.Leaderboard || len(newest.Servers) != 2 || len(all[i].Servers) != 5 {
		t.Fatalf("run of web %+v", newest)
	}
	for path, name := range map[string]string{newest.Run: "web", all[i].Run: "relay"} {
		for _, suffix := range []string{".jsonl.gz", ".leaderboard.jsonl.gz"} {
			for n, line := range bytes.Split(bytes.TrimSpace(unzipped(t, s["runs/"+path+suffix])), []byte("\n")) {
				var of struct{ Workload string }
				if err := json.Unmarshal(line, &of); err != nil || n > 0 && of.Workload != name {
					t.Errorf("%s%s: line %d is of %q, %v", path, suffix, n+1, of.Workload, err)
				}
			}
		}
	}
}

// Names and ends of metrics come from the form of the run's own page, too.
func TestRunPageOfRequests(t *testing.T) {
	records, all, _, err := record.FromRaw("../../judge/record/testdata/web")
	if err != nil {
		t.Fatal(err)
	}
	page, err := runPage(t, emptyPage, records, all)
	if err != nil {
		t.Fatal(err)
	}
	of, _ := dataIn(t, page)
	if of.Manifest.Workload != "web" || len(of.Manifest.Workloads) != 1 || of.Manifest.Workloads[0].Unit != "request" || of.Details == nil {
		t.Errorf("manifest of %q, workloads %+v", of.Manifest.Workload, of.Manifest.Workloads)
	}
	if !strings.Contains(page, "stress-500") || !strings.Contains(page, "Fastest") {
		t.Errorf("no answer in %.300s", page)
	}
	if strings.Contains(page, "per_stream") {
		t.Error("the page of requests has a metric of streams")
	}
}

// Pages describe the workloads of the site, and no other.
func TestTheMethodIsOfTheWorkloadsOfTheSite(t *testing.T) {
	web := testfile.Read(t, "../../../../servers/web/results.jsonl", record.Read)
	records := compared(t)
	facts := site.Facts{
		Local:  []site.Local{{Records: web}, {Records: records, Answers: verdict.Compare(records)}},
		Checks: map[string]int{"relay": 47, "web": 30},
		Words:  []page.Word{{Word: "stub", Means: "It plays `k6`'s other side."}},
	}
	// relay has the comparison and stands first; web has the run.
	built, err := site.Build(facts, func(string, []byte) error { return nil }, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if c := built.Counts; c.Comparisons != 1 || c.Commits != 1 || c.Servers < 10 || c.Series == 0 {
		t.Errorf("counts %+v; want those of both workloads", c)
	}
	got := string(pages(t, facts)["method/index.html"])
	for want, is := range map[string]bool{"contract of 47 checks": true, "contract of 30 checks": true, "levels 10, 100, 500": true, "<code>k6</code>": true, "workload-files": false} {
		if strings.Contains(got, want) != is {
			t.Errorf("%q: want it on the page: %t", want, is)
		}
	}
}
