package branch

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/testrepo"
	"fairstream/scripts/internal/workload"
	"fairstream/scripts/internal/workload/workloadtest"
)

// threeCommits are a repository and its commits, the oldest first.
func threeCommits(t *testing.T) (dir, first, second, third string) {
	t.Helper()
	dir = t.TempDir()
	git(t, dir, "init", "--quiet", "-b", "main")
	return dir, testrepo.Commit(t, dir), testrepo.Commit(t, dir), testrepo.Commit(t, dir)
}

// keep commits files of a month to the branch, which is new.
func keep(t *testing.T, dir, under string, files map[string]string) {
	t.Helper()
	git(t, dir, "checkout", "--quiet", "--orphan", Branch)
	for name, text := range files {
		testfile.Write(t, filepath.Join(dir, under, "2026/11", name), text)
	}
	testfile.Write(t, filepath.Join(dir, record.EditionPath), fmt.Sprint(record.Edition))
	testrepo.Commit(t, dir)
}

func TestPublishedServersOfCommits(t *testing.T) {
	dir, first, second, third := threeCommits(t)
	var said []string
	say := func(line string) { said = append(said, line) }
	if all, err := Published(t.Context(), dir, "origin/gh-pages", third, say); err != nil || all != nil {
		t.Errorf("without a branch: %v, %v", all, err)
	}
	trendRun := func(quick bool, servers ...string) string {
		var lines strings.Builder
		for _, name := range servers {
			r := one(t)
			r.Server.Name, r.Run.Quick = name, quick
			if err := record.Write(&lines, []record.Record{r, failed(r)}); err != nil {
				t.Fatal(err)
			}
		}
		return lines.String()
	}
	var fails strings.Builder
	r := failed(one(t))
	r.Server.Name = "rust-http"
	if err := record.Write(&fails, []record.Record{r}); err != nil {
		t.Fatal(err)
	}
	keep(t, dir, "runs", map[string]string{
		first + "-1-1.jsonl":                   trendRun(false, "go-http", "go-gin"),
		first + "-9-1.jsonl":                   trendRun(false, "bun-hono"),
		first + "-9-2.jsonl":                   trendRun(false, "go-http")[:60], // of a crash: it costs itself
		second + "-2-1.leaderboard.jsonl":      trendRun(false, "go-http"),
		third + "-3-1.jsonl":                   trendRun(true, "go-http") + trendRun(false, "go-gin") + fails.String(),
		strings.Repeat("f", 40) + "-4-1.jsonl": trendRun(false, "go-http"),
		"note.jsonl":                           "no JSON",
	})
	for head, want := range map[string]map[string][]workload.Server{
		third:  {third: workloadtest.Relay("go-gin"), first: workloadtest.Relay("go-http", "go-gin", "bun-hono")},
		second: {first: workloadtest.Relay("go-http", "go-gin", "bun-hono")},
	} {
		all, err := Published(t.Context(), dir, Branch, head, say)
		if err != nil || len(all) != len(want) || all[0].Commit == first && len(all) > 1 {
			t.Fatalf("%+v, %v; want %d, the newest first", all, err, len(want))
		}
		for _, p := range all {
			if servers, err := p.Servers(t.Context()); err != nil || !reflect.DeepEqual(servers, want[p.Commit]) {
				t.Errorf("%.8s: %q, %v; want %q", p.Commit, servers, err, want[p.Commit])
			}
		}
	}
	if len(said) != 2 || !strings.HasPrefix(said[0], "runs/2026/11/"+first+"-9-2.jsonl on gh-pages cannot be read, and counts as not published: ") {
		t.Errorf("said %q, want the broken file in both", said)
	}
}

// failed is the record of a server without figures.
func failed(r record.Record) record.Record {
	r.Status, r.Why, r.Metrics = record.Invalid, []string{"it failed"}, record.Metrics{}
	for _, m := range record.Table(r.Workload) {
		r.Metrics[m.Name] = nil
	}
	r.Scenario = "baseline"
	return r
}
