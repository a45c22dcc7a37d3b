package branch

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/workload"
)

func TestPublishedServersOfCommits(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "--quiet", "-b", "main")
	commit := func() string {
		git(t, dir, "commit", "--quiet", "--allow-empty", "-m", "change")
		return git(t, dir, "rev-parse", "HEAD")
	}
	first, second, third := commit(), commit(), commit()
	var said []string
	say := func(line string) { said = append(said, line) }
	if all, err := Published(t.Context(), dir, "origin/gh-pages", third, say); err != nil || all != nil {
		t.Errorf("without a branch: %v, %v", all, err)
	}
	trendRun := func(quick string, servers ...string) string {
		return `{"schema":4,"workload":"relay","run":{"quick":` + quick + `},"servers":[{"name":"` + strings.Join(servers, `"},{"name":"`) +
			`"}],"k6_runs":[{"targets":[{"server":1,"status":"ok"}]},{"targets":[{"server":0,"status":"warning"},{"server":0,"status":"invalid"}]}]}` + "\n"
	}
	fails := strings.Replace(trendRun("false", "rust-http", "direct"), "warning", "invalid", 1)
	git(t, dir, "checkout", "--quiet", "--orphan", Branch)
	for name, text := range map[string]string{
		first + "-1-1.jsonl":                   trendRun("false", "go-http", "direct") + trendRun("false", "go-gin", "direct"),
		first + "-9-1.jsonl":                   trendRun("false", "bun-hono"),
		first + "-9-2.jsonl":                   trendRun("false", "go-http")[:60], // of a crash: it costs itself
		second + "-2-1.leaderboard.jsonl":      trendRun("false", "go-http"),
		third + "-3-1.jsonl":                   trendRun("true", "go-http") + trendRun("false", "go-gin") + fails,
		strings.Repeat("f", 40) + "-4-1.jsonl": trendRun("false", "go-http"),
		"note.jsonl":                           "no JSON",
	} {
		path := filepath.Join(dir, "runs/2026/11", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, archive.EditionPath), []byte("3"), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", "runs", archive.EditionPath)
	git(t, dir, "commit", "--quiet", "-m", "runs")
	for head, want := range map[string]map[string][]workload.Server{
		third:  {third: relay("go-gin"), first: relay("go-http", "go-gin", "bun-hono")},
		second: {first: relay("go-http", "go-gin", "bun-hono")},
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

// relay are servers of that workload.
func relay(names ...string) (all []workload.Server) {
	for _, name := range names {
		all = append(all, workload.Server{Workload: "relay", Name: name})
	}
	return all
}
