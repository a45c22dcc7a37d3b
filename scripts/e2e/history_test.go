package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// From artifacts to the branch as the workflow does it, with git itself and a
// remote on disk. The one step that is not ours is stood in for by action.
func TestFromArtifactsToTheHistory(t *testing.T) {
	t.Parallel()
	p := newPublished(t)
	first := p.commit("first\n\nbody", "2026-11-01T00:00:00Z")
	second := p.commit("second", "2026-11-02T00:00:00Z")

	// One trend run is fine, another wrote no zip.
	p.artifacts(map[string]string{"relay.go-http": p.trendRun("go-http", first, 0.9), "relay.go-gin": "no zip"})
	r := p.bench("ci", "check", "-plan", p.plan(first), "-o", "out", "artifacts")
	r.expect(t, 0, "check: refused: records-relay.go-gin-1/artifact.zip: is not a readable zip file", "check: missing: relay.go-gin")
	if r.stdout != "records=true\nbigger=true\nsmaller=true\nnotices={\"issues\":[],\"notes\":[],\"unread\":\"\"}\n" {
		t.Errorf("stdout %q", r.stdout)
	}
	p.contains("out/summary.md", "**1 of 2 servers measured at `"+first[:12]+"`**", "Missing: relay.go-gin; relay.leaderboard.", "The history has no figures of older commits", "| relay/go-http | ? | 0.9 | ? | 0.2 | ? |")
	p.contains("out/smaller.json", `"value": 5,`, "it was 0.2") // the alert divides
	if exists(filepath.Join(p.root, "out", chartsFile)) {
		t.Error("a chart of earlier figures, of which there are none")
	}

	// The action did not run: the records are kept, and the answer is no.
	p.history(first, "1").expect(t, 1, "push: chart points are missing: charts.json has no entry of "+first[:10]+" for "+branch.Bigger+", "+branch.Smaller)
	p.points(0)

	// The job is run again, with the action.
	p.action(first)
	p.history(first, "2").expect(t, 0, first+"-77-2.jsonl is on gh-pages (tries: 1)")
	p.history(first, "2").expect(t, 0) // once more changes nothing
	p.points(1)

	// The next commit is compared with the one before it, by name.
	p.artifacts(map[string]string{"relay.go-http": p.trendRun("go-http", second, 0.5), "relay.go-gin": p.trendRun("go-gin", second, 0.8), "relay.leaderboard": p.leaderboard(second)})
	p.bench("ci", "check", "-plan", p.plan(second), "-o", "out", "artifacts").expect(t, 0)
	p.contains("out/charts.json", first, `"name":"relay/go-http stress-200 x direct, epoch `, `"unit":"ratio","value":0.9`, `"unit":"ms overhead","value":5,`)
	p.contains("out/summary.md", "### Leaderboard of relay: servers against each other", "### Trend runs: each server against its own history")
	p.action(second)
	p.history(second, "1").expect(t, 0)
	p.points(2)
	// Beside the charts, as the figures are: the trend runs without direct, the leaderboard with it.
	if got := p.git("origin.git", "show", "gh-pages:charts/data.js"); strings.Count(got, `"unit":"ms overhead","value":0.2`) != 3 {
		t.Errorf("data.js: %s", got)
	}
	for path, want := range map[string]string{"-77-1.jsonl": "go-gin go-http", "-77-1.leaderboard.jsonl": "direct go-gin go-http"} {
		text := p.git("origin.git", "show", "gh-pages:runs/2026/11/"+second+path)
		records, err := record.Read(strings.NewReader(text))
		p.must(err)
		var names []string
		for _, r := range records {
			names = append(names, r.Server.Name)
		}
		slices.Sort(names)
		if got := strings.Join(slices.Compact(names), " "); got != want {
			t.Errorf("%s has records of %q, want %q", path, got, want)
		}
	}

	// A rerun of the first is not compared with the second, and gives no second point.
	p.artifacts(map[string]string{"relay.go-gin": p.trendRun("go-gin", first, 0.7)})
	p.bench("ci", "check", "-plan", p.plan(first), "-o", "out", "artifacts").expect(t, 0, "check: missing: relay.go-http")
	if exists(filepath.Join(p.root, "out", chartsFile)) {
		t.Error("an old commit is compared with a newer one")
	}
	p.action(first)
	p.history(first, "3").expect(t, 0)
	if points := p.points(2); len(points[0].Benches) != 2 || points[0].Commit.ID != first || points[0].Commit.Message != "first" {
		t.Errorf("%+v", points[0])
	}
	if runs := strings.Fields(p.git("origin.git", "ls-tree", "-r", "--name-only", "gh-pages", "runs/2026/11")); len(runs) != 4 {
		t.Errorf("runs %q, want 4: the second attempt brought no record that is new", runs)
	}

	// Nothing at all.
	p.artifacts(map[string]string{"relay.go-gin": p.trendRun("go-gin", second, 0.7)})
	r = p.bench("ci", "check", "-plan", p.plan(first), "-o", "out", "artifacts")
	r.expect(t, 1, "check: no record was accepted")
	if r.stdout != "records=false\nbigger=false\nsmaller=false\nnotices={\"issues\":[],\"notes\":[],\"unread\":\"\"}\n" || exists(filepath.Join(p.root, "out", recordsFile)) {
		t.Errorf("stdout %q", r.stdout)
	}
	p.contains("out/summary.md", "**0 of 2 servers measured")
	p.history(first, "4").expect(t, 2, "want a directory that scripts/bench ci check wrote")
}

func TestAPullRequestDoesNotEnterTheHistory(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	pull, err := json.Marshal(plan.Plan{Kind: plan.Pull, Revision: strings.Repeat("1", 40), Base: strings.Repeat("2", 40), Pull: 7, Servers: []workload.Server{{Workload: "relay", Name: "go-http"}}, Rounds: 12})
	p.must(err)
	for _, command := range []string{"check", "push"} {
		p.bench("ci", command, "-plan", string(pull), ".").expect(t, 2, "because the history holds no measurements of pull requests")
		p.bench("ci", command, "-plan", "{", ".").expect(t, 2, command+": -plan: plan: unexpected EOF")
		p.bench("ci", command).expect(t, 2, command+": want one directory")
	}
}

// A publishing project is a git repository with two servers and an origin.
type publishing struct {
	testProject
	now string // when commits are made
}

func newPublished(t *testing.T) publishing {
	t.Helper()
	p := publishing{testProject: newProject(t)}
	for _, name := range []string{"go-http", "go-gin"} {
		p.write("servers/relay/"+name+"/server.json", `{"workload": "relay", "language": "go", "framework": "x", "build": ["true"], "run": ["true"], "versions": {"go": ["go", "version"]}}`)
	}
	p.must(os.Mkdir(filepath.Join(p.root, "origin.git"), 0o755))
	p.git("origin.git", "init", "--quiet", "--bare", "-b", "main")
	p.git(".", "init", "--quiet", "-b", "main")
	p.git(".", "remote", "add", "origin", "./origin.git")
	return p
}

// bench runs the program as a job of a workflow run.
func (p publishing) bench(args ...string) result {
	p.Helper()
	return p.finish(p.command(args...))
}

func (p publishing) command(args ...string) *exec.Cmd {
	cmd := p.testProject.command(args...)
	cmd.Env = append(cmd.Env, "GITHUB_RUN_ID=77", "GITHUB_RUN_ATTEMPT=1", "GITHUB_REPOSITORY=acme/toy", "GITHUB_TOKEN=")
	return cmd
}

// ofRun is what all records of that run share.
func (p publishing) ofRun(id string, rounds int) record.Run {
	harness, clean := p.git(".", "rev-parse", "HEAD"), false
	return record.Run{ID: id, Commit: &harness, Dirty: &clean, Asked: raw.Asked{Rounds: rounds}, Placement: "shared", Rig: strings.Repeat("5", 64)}
}

func (p publishing) git(dir string, args ...string) string {
	p.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = filepath.Join(p.root, dir)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@t.example", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@t.example", "GIT_COMMITTER_DATE="+p.now)
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit makes a commit of main at a time.
func (p publishing) commit(message, when string) string {
	p.Helper()
	p.now = when
	p.git(".", "add", "servers")
	p.git(".", "commit", "--quiet", "--allow-empty", "-m", message)
	return p.git(".", "rev-parse", "HEAD")
}

func (p publishing) plan(revision string) string {
	text, err := json.Marshal(plan.Plan{Kind: plan.Main, Revision: revision, Servers: []workload.Server{{Workload: "relay", Name: "go-http"}, {Workload: "relay", Name: "go-gin"}}, Scenarios: map[string]string{"relay": "baseline,stress"}, Rounds: 1, Leaderboard: 2})
	p.must(err)
	return string(text)
}

// trend run is the records of one server and direct, as text.
func (p publishing) trendRun(server, revision string, overDirect float64) string {
	return p.records(revision, 1, overDirect, server)
}

// leaderboard is those of all servers together.
func (p publishing) leaderboard(revision string) string {
	return p.records(revision, 2, 0.75, "go-gin", "go-http")
}

func (p publishing) records(revision string, rounds int, overDirect float64, servers ...string) string {
	p.Helper()
	var records []record.Record
	for _, server := range append([]string{raw.Direct}, servers...) {
		for _, scenario := range []string{"baseline", "stress-200"} {
			for round := 1; round <= rounds; round++ {
				r := record.Record{
					Schema: record.Schema, Workload: "relay", Host: raw.Host{Cores: 4}, Server: raw.Server{Name: server},
					Run:      p.ofRun("77-1", rounds),
					Scenario: scenario, Round: round, Started: time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC), Status: record.OK, Metrics: record.Metrics{},
				}
				for _, m := range record.Table("relay") {
					r.Metrics[m.Name] = nil
				}
				set := func(name string, v float64) { r.Metrics[name] = &v }
				set("failed_pct", 0)
				set("rate_per_s", 1000)
				set("rate_x_direct", 1)
				set("ttft_p95_ms", 1)
				if server != raw.Direct {
					r.Server = raw.Server{Name: server, Language: "go", Framework: "x", Commit: &revision}
					set("rate_per_s", 1000*overDirect)
					set("rate_x_direct", overDirect)
					set("ttft_p95_ms", 1.2)
					set("ttft_p95_overhead_ms", 0.2)
				}
				records = append(records, r)
			}
		}
	}
	var b bytes.Buffer
	p.must(record.Write(&b, records))
	return b.String()
}

// artifacts writes artifacts as a download leaves them. A text without records becomes a broken zip.
func (p publishing) artifacts(trendRuns map[string]string) {
	p.Helper()
	p.must(os.RemoveAll(filepath.Join(p.root, "artifacts")))
	for name, text := range trendRuns {
		data := bytes.NewBufferString(text)
		if strings.HasPrefix(text, "{") {
			data.Reset()
			w := zip.NewWriter(data)
			f, err := w.Create(recordsFile)
			p.must(err)
			_, err = f.Write([]byte(text))
			p.must(err)
			p.must(w.Close())
		}
		p.write("artifacts/records-"+name+"-1/artifact.zip", data.String())
	}
}

// action does what github-action-benchmark does with external-data-json-path.
func (p publishing) action(revision string) {
	p.Helper()
	path := filepath.Join(p.root, "out", chartsFile)
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		p.Fatal(err)
	}
	c, err := branch.ParseChart(data)
	p.must(err)
	for name, suite := range map[string]string{biggerFile: branch.Bigger, smallerFile: branch.Smaller} {
		entry := branch.Entry{Commit: branch.Commit{ID: revision, Message: p.git(".", "show", "-s", "--format=%B", revision)}, Date: 1, Tool: "custom"}
		text, err := os.ReadFile(filepath.Join(p.root, "out", name))
		p.must(err)
		p.must(json.Unmarshal(text, &entry.Benches))
		c.Entries[suite] = append(c.Entries[suite], entry)
	}
	data, err = c.JSON()
	p.must(err)
	p.must(os.WriteFile(path, data, 0o644))
}

func (p publishing) history(revision, attempt string) result {
	p.Helper()
	cmd := p.command("ci", "push", "-plan", p.plan(revision), "out")
	cmd.Env = append(cmd.Env, "GITHUB_RUN_ID=77", "GITHUB_RUN_ATTEMPT="+attempt, "GITHUB_REPOSITORY=acme/toy", "GITHUB_TOKEN=")
	return p.finish(cmd)
}

// points are the entries of the chart's first suite. There must be n.
func (p publishing) points(n int) []branch.Entry {
	p.Helper()
	c, err := branch.Remote{URL: filepath.Join(p.root, "origin.git")}.Chart(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	if got := len(c.Entries[branch.Bigger]); got != n {
		p.Fatalf("%d entries on the branch, want %d", got, n)
	}
	return c.Entries[branch.Bigger]
}

func (p publishing) contains(name string, texts ...string) {
	p.Helper()
	data, err := os.ReadFile(filepath.Join(p.root, name))
	p.must(err)
	for _, text := range texts {
		if !strings.Contains(string(data), text) {
			p.Errorf("%s lacks %q:\n%s", name, text, data)
		}
	}
}
