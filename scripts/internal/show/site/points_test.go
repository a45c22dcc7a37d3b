package site_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
	"fairstream/scripts/internal/testfile"
)

// Each point of each series is the median of its records, taken here from the branch
// file by file, and each record has its point.
func TestPointsAreTheRecords(t *testing.T) {
	const commits = 20
	facts := simulated(t, commits, 3)
	s, m := build(t, facts)
	want := map[string][]float64{} // by place, server, scenario and metric
	warned := map[string]bool{}
	fs.WalkDir(facts.Files, "runs", func(path string, d fs.DirEntry, _ error) error { // its function returns none
		if d.IsDir() || strings.HasSuffix(path, ".leaderboard.jsonl") {
			return nil
		}
		records := recordsIn(t, facts, path)
		again := map[string][]float64{} // a later run of a commit replaces the servers that it has
		for _, r := range records {
			if r.Run.Quick || r.Server.Name == raw.Direct {
				continue
			}
			place := -1
			for n := range commits {
				if strings.Contains(path, simulate.SHA(n)) {
					place = n
				}
			}
			failed, _ := r.Metrics.Get("failed_pct")
			for _, metric := range record.Table("relay") {
				key := fmt.Sprint(place, " ", strings.TrimPrefix(r.Server.Name, "old-"), " ", r.Scenario, " ", metric.Name)
				if v, ok := r.Metrics.Get(metric.Name); ok && (failed == 0 || metric.Name == "failed_pct") {
					again[key] = append(again[key], v)
					warned[key] = r.Status == record.Warning
				}
			}
		}
		for key, values := range again {
			want[key] = values
		}
		return nil
	})
	points, count := 0, 0
	for file := range s {
		name, isSeries := strings.CutSuffix(strings.TrimPrefix(file, "history/"), ".json")
		if !isSeries || !strings.HasPrefix(file, "history/") {
			continue
		}
		count++
		scenario, metric, _ := strings.Cut(name, "/")
		of := series(t, s, name)
		for _, server := range m.Servers {
			c, ok := of.Servers[server.Name]
			for i := range commits {
				key := fmt.Sprint(i, " ", server.Name, " ", scenario, " ", metric)
				values := want[key]
				slices.Sort(values)
				if !ok || c.Mid[i] == nil {
					if len(values) > 0 {
						t.Fatalf("%s: no point of %v", key, values)
					}
					continue
				}
				if len(values) == 0 {
					t.Fatalf("%s: a point %g of no record", key, *c.Mid[i])
				}
				status := map[bool]int{false: site.Good, true: site.Warning}[warned[key] && metric != "failed_pct"]
				if metric == "failed_pct" {
					status = c.Status[i]
				}
				for _, p := range []struct{ got, want float64 }{
					{*c.Mid[i], record.Mean(values, record.Absolute(metric))}, {*c.Low[i], values[0]}, {*c.High[i], values[len(values)-1]},
				} {
					// Five digits are kept.
					if math.Abs(p.got-p.want) > 0.501e-4*math.Abs(p.want) || c.Status[i] != status {
						t.Fatalf("%s: got %v with status %d, want %v with %d", key, p.got, c.Status[i], p.want, status)
					}
				}
				points++
			}
		}
	}
	// 20 commits without the shortened one, 2 servers and one that vanished after 15, 5
	// scenarios; and one server's failure in one commit.
	if count < 100 || points < 6500 {
		t.Errorf("%d points in %d series", points, count)
	}
}

// Rounds make a mean with a low and a high; one with failed streams does not count.
func TestRounds(t *testing.T) {
	var records []record.Record
	for round, v := range []float64{30, 10, 20, 1000} {
		failed := 0.0
		if v == 1000 {
			failed = 50
		}
		r := record.Record{
			Schema: record.Schema, Workload: "relay", Run: record.Run{ID: "a", Asked: raw.Asked{Rounds: 4}}, Server: raw.Server{Name: "go-http"}, Scenario: "steady", Round: round + 1,
			Started: simulate.Start, Status: record.OK, Why: []string{}, Metrics: record.Metrics{"rate_per_s": &v, "failed_pct": &failed},
		}
		for _, m := range record.Table("relay") {
			if _, ok := r.Metrics[m.Name]; !ok {
				r.Metrics[m.Name] = nil
			}
		}
		if v == 30 {
			r.Status, r.Why = record.Warning, []string{"noisy"}
		}
		records = append(records, r)
	}
	s, _ := build(t, site.Facts{Local: []site.Local{{Records: records}}})
	column := func(name string) site.Column {
		return series(t, s, name).Servers["go-http"]
	}
	if c := column("steady/rate_per_s"); *c.Mid[0] != 18.171 || *c.Low[0] != 10 || *c.High[0] != 30 || c.Status[0] != site.Warning {
		t.Errorf("%+v, want 18.171, the cube root of 6000, 10 to 30, warned", c)
	}
	if c := column("steady/failed_pct"); *c.Mid[0] != 12.5 || *c.High[0] != 50 {
		t.Errorf("failed_pct %+v, want the arithmetic mean 12.5, 0 to 50", c)
	}
	all := slices.DeleteFunc(slices.Collect(maps.Keys(s)), func(name string) bool {
		return !strings.HasPrefix(name, "history/") || !strings.HasSuffix(name, ".json")
	})
	if len(all) != 2 {
		t.Errorf("series %q of metrics that nobody measured", all)
	}
}

// A local run with a server that fails, one that is mute and one that loses streams is
// shown as it is.
func TestLocalRun(t *testing.T) {
	records := testfile.Read(t, "../../judge/record/testdata/mixed.jsonl", record.Read)
	s, m := build(t, site.Facts{Local: []site.Local{{Records: records}}})
	c := get[site.Commits](t, s, m.Commits.File)
	if len(c.SHA) != 1 || c.Quick[0] != 1 || c.Run[0] != nil || !strings.HasPrefix(*c.Subject[0], "local run mixed") {
		t.Errorf("commits %+v", c)
	}
	// Who has no point has a colour all the same.
	var names []string
	for _, server := range m.Servers {
		names = append(names, server.Name)
	}
	if want := []string{"all-fail", "go-http", "mute", "tenth-fails"}; !slices.Equal(names, want) {
		t.Errorf("servers %q, want %q", names, want)
	}
	// A shortened run makes no point and no ranks, but it is the only run to show.
	k := get[site.Latest](t, s, "latest.json")
	if !k.Quick || len(k.Rankings) != 0 || len(k.Figures) == 0 {
		t.Errorf("latest %+v", k)
	}
	// At level 200 tokens of go-http came in lumps: its median ITL is 0.
	itl := map[string]bool{}
	for _, f := range k.Figures {
		if f.Target == "go-http" && f.Metric == "itl_p99_ms" {
			itl[f.Scenario] = true
		}
	}
	if itl["stress-200"] || !itl["stress-100"] {
		t.Errorf("ITL p99 of go-http is known in %v", itl)
	}
	long := slices.Clone(records)
	for i := range long {
		long[i].Run.Quick = false
	}
	s2, _ := build(t, site.Facts{Local: []site.Local{{Records: long}}})
	if len(get[site.Latest](t, s2, "latest.json").Answers) == 0 {
		t.Error("a run that was not shortened has no answers")
	}
	// Published series equal the figures that pages read from published runs.
	runs := get[site.Runs](t, s, m.Runs)
	text := unzipped(t, s["runs/"+runs.Runs[0].Run+".leaderboard.jsonl.gz"])
	var want bytes.Buffer
	err := record.Write(&want, records)
	_, lines, _ := bytes.Cut(text, []byte("\n")) // behind the figures
	if err != nil || !bytes.Equal(lines, want.Bytes()) {
		t.Errorf("%d records: %v:\n%s", len(records), err, text)
	}
}

// Two runs of one working copy are two rows, among the commits by their begin.
func TestLocalRunsAreRowsOfTheirOwn(t *testing.T) {
	facts := simulated(t, 12, 2)
	records := recordsIn(t, facts, pathOf(t, facts, simulate.SHA(0)))
	for n, hours := range []int{1, 24} {
		local := slices.Clone(records)
		for i := range local {
			local[i].Run.ID = fmt.Sprint("here ", n)
			local[i].Server.Commit = nil
			local[i].Started = simulate.Start.Add(time.Duration(hours) * time.Hour)
		}
		facts.Local = append(facts.Local, site.Local{Records: local})
	}
	s, m := build(t, facts)
	c := get[site.Commits](t, s, m.Commits.File)
	// It is the newest of them that is ranked, though main has newer runs.
	if k := get[site.Latest](t, s, "latest.json"); k.Commit != nil || !strings.HasPrefix(k.Run, "local/") {
		t.Errorf("results of %s", k.Run)
	}
	// What changed on main is main's all the same.
	if got := says(pages(t, facts)["index.html"]); !strings.Contains(got, "The newest commit is of 4 Jan 2024: "+simulate.SHA(11)[:10]) {
		t.Errorf("the newest of main: %s", got)
	}
	// Commits are seven hours apart.
	for at, want := range map[int]string{1: "local run here 0 of a changed working copy", 5: "local run here 1 of a changed working copy"} {
		if len(c.SHA) != 14 || c.Subject[at] == nil || *c.Subject[at] != want || c.Author[at] != nil {
			t.Errorf("of %d rows, row %d has %v, want %q", len(c.SHA), at, c.Subject[at], want)
		}
	}
}

func TestMany(t *testing.T) {
	for n, want := range map[int]string{0: "0 commits", 1: "1 commit", 2: "2 commits"} {
		if seen := site.Many(n, "commit"); seen != want {
			t.Errorf("%d: %q, want %q", n, seen, want)
		}
	}
}
