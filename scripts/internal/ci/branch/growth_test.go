package branch

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/site/simulate"
	"fairstream/scripts/internal/workload"
)

// The branch is fetched by every run and its chart by every reader, for years.
// This makes runs of eight trend runs and a leaderboard whose figures vary as real ones do, and the
// leaderboard's details, and weighs the branch.
//
// A run has 5,983 unpredictable figures. The history keeps 3,800 of them: those of trend runs, and those of a
// leaderboard run that the site shows. A figure that differs by some per cent from the last takes six bits in
// steps of 0.4 %. The rest is hashes, seeds, times and chart points, and details, which take 3.6 KiB. 500
// runs took 11.9 KiB each, 40 took 11.0. Old details stay in the pack of the branch even after the newest
// commit drops them. Trend and leaderboard runs took as much in one file as in two.
func TestTheBranchGrowsSlowly(t *testing.T) {
	t.Parallel()
	runs := 40
	if os.Getenv("FAIRSTREAM_LONG") != "" {
		runs = 500
	}
	perRun, largest := grow(t, runs)
	if most := 12.5 * 1024; perRun > most {
		t.Errorf("%.0f bytes for a run, want at most %.0f", perRun, most)
	}
	if largest > 1e6 {
		t.Errorf("a file of %d bytes, want at most 1 MB", largest)
	}
}

// grow is how much each run takes of the packed branch, and the largest file.
func grow(t *testing.T, runs int) (perRun float64, largest int) {
	s, err := open(t.Context(), Remote{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Now()
	var runBytes, chartBytes, figures int
	for n := range runs {
		run, known := simulated(random, n)
		runBytes, figures = max(runBytes, len(run.TrendRuns)+len(run.Leaderboard)+len(run.Details["relay"])), known
		if s.tip, _, err = s.apply(t.Context(), run); err != nil { // nothing that it adds to is broken
			t.Fatal(err)
		}
	}
	data, err := s.read(t.Context(), ChartPath)
	if err != nil {
		t.Fatal(err)
	}
	chartBytes = len(data)
	git(t, s.dir, "update-ref", "refs/heads/"+Branch, s.tip)
	git(t, s.dir, "gc", "--quiet", "--prune=now")
	var pack float64
	for line := range strings.Lines(git(t, s.dir, "count-objects", "-v")) {
		if kib, ok := strings.CutPrefix(line, "size-pack: "); ok {
			pack, _ = strconv.ParseFloat(strings.TrimSpace(kib), 64) // else 0, which the test does not want
		}
	}
	c, err := ParseChart(data)
	if err != nil || len(c.Entries[Bigger]) == 0 {
		t.Fatalf("%v: %d entries", err, len(c.Entries[Bigger]))
	}
	t.Logf("%d runs: pack %.0f KiB, %.2f KiB for a run of %d figures; its files %d bytes, data.js %d bytes with %d commits; %.0f s",
		runs, pack, pack/float64(runs), figures, runBytes, chartBytes, len(c.Entries[Bigger]), time.Since(start).Seconds())
	return pack * 1024 / float64(runs), max(runBytes, chartBytes)
}

var names = []string{"bun-hono", "bun-http", "go-fiber", "go-gin", "go-http", "rust-actix", "rust-axum", "rust-http"}

// simulated is a run of commit n: every figure some per cent beside its server's.
// It says how many figures there are.
func simulated(random *rand.Rand, n int) (run Run, figures int) {
	var hex strings.Builder
	for range 5 {
		fmt.Fprintf(&hex, "%08x", random.Uint32())
	}
	commit, started := hex.String(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n)*7*time.Hour)
	var trendRuns []record.Record
	for i, server := range names {
		trendRuns = append(trendRuns, loaded(random, n, commit, started.Add(time.Duration(i)*2*time.Minute), 1, server)...)
	}
	trendRuns = archive.OfServers(trendRuns)
	leaderboard := loaded(random, n, commit, started.Add(20*time.Minute), 3, names...)
	for _, r := range append(slices.Clone(trendRuns), leaderboard...) {
		for _, v := range r.Metrics {
			if v != nil {
				figures++
			}
		}
	}
	run = Run{Points: map[string]Entry{}, RepoURL: "https://github.com/acme/fairstream", Time: started, Message: fmt.Sprintf("%.12s: records of all\n", commit)}
	run.TrendRuns, _ = archive.Pack(trendRuns)                                           // of numbers and texts
	run.Leaderboard, _ = archive.PackLeaderboard(leaderboard)                            // of numbers and texts
	drawn, _ := archive.PackDetails(simulate.NewDetails(random, workload.All[0], names)) // likewise
	run.Details = map[string][]byte{"relay": drawn}
	run.Path, _ = RunPath(trendRuns, commit, strconv.Itoa(19283746500+n*1771), "1") // of numbers and texts
	for _, of := range []struct {
		suite  string
		labels []string
	}{
		{Bigger, []string{"stress-100 x direct", "stress-200 x direct"}}, {Smaller, []string{"baseline TTFT p95 overhead", "steady CPU x rig", "stress-200 peak RSS"}},
	} {
		who := Person{"A. Person", "a-person"}
		e := Entry{
			Commit: Commit{who, Person{"GitHub", "web-flow"}, commit, fmt.Sprintf("servers: change %d of something that takes a line (#%d)", n, n), started, "https://github.com/acme/fairstream/commit/" + commit},
			Date:   started.UnixMilli(), Tool: "customBiggerIsBetter",
		}
		for _, server := range names {
			for _, label := range of.labels {
				e.Benches = append(e.Benches, Bench{Name: server + " " + label + ", epoch 3f9a1c", Unit: "ratio", Value: float64(int(random.NormFloat64()*500+10000)) / 1e4})
			}
		}
		run.Points[of.suite] = e
	}
	return run, figures
}

// loaded is what one trend run gives, as a real one has it: what is of k6, the stub and
// the machine is the same for all that are loaded side by side.
func loaded(random *rand.Rand, n int, commit string, started time.Time, rounds int, servers ...string) (records []record.Record) {
	harness, dirty := hash(n/10), false
	cpu, os, kernel, memory := "Intel(R) Core(TM) i5-4200U CPU @ 1.60GHz", "Debian GNU/Linux 12 (bookworm)", "6.1.0-18-amd64", int64(8237096960)
	of := record.Run{ID: fmt.Sprint(n, "-1"), Commit: &harness, Dirty: &dirty, Rounds: rounds, Seed: uint64(random.Uint32()), Placement: "split", Rig: sum(n / 10)}
	vary := func(v float64, share float64) *float64 {
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v*(1+share*random.NormFloat64()), 'g', 7, 64), 64) // this number was formatted just now
		return &v
	}
	for round := range rounds {
		for i, scenario := range []string{"baseline", "steady", "stress-10", "stress-100", "stress-200"} {
			shared := map[string]*float64{}
			conditions := record.Conditions{LoadBefore: vary(1, 0.5), StealPct: vary(0.1, 0.3), OthersPct: vary(3, 0.3), Disturbed: []string{}}
			for position, server := range append([]string{raw.Direct}, servers...) {
				if i >= 2 { // by turns each target has its own
					conditions.StealPct, conditions.OthersPct = vary(0.1, 0.3), vary(3, 0.3)
				}
				r := record.Record{
					Schema: record.Schema, Workload: "relay", Run: of, Conditions: conditions, Host: raw.Host{CPU: &cpu, Cores: 4, OS: &os, Kernel: &kernel, MemoryBytes: &memory},
					Tools:  map[string]string{"go": "1.26.8", "k6": "1.8.1", "sysstat": "12.6.1"},
					Server: raw.Server{Name: server, Versions: map[string]string{}},
					Status: record.OK, Why: []string{}, Metrics: record.Metrics{}, Scenario: scenario, Round: round + 1,
					Started: started.Add(time.Duration(round*5+i) * time.Minute),
				}
				if server != raw.Direct {
					tree, artefact := fmt.Sprintf("%08x%032x", position*n/20, position), sum(1000*position+n/20)
					r.Server = raw.Server{Name: server, Language: "go", Framework: "gin", Commit: &commit, Tree: &tree, Artefact: &artefact, Versions: map[string]string{"go": "1.26.8", "gin": "1.12.0"}}
				}
				for k, m := range record.Table("relay") {
					v := vary(float64(100*(k+1)+10*position+i), 0.05)
					switch {
					case server == raw.Direct && m.OfServer():
						v = nil
					case i >= 2 && m.Unit == "bytes/stream" || i < 2 && m.Name == "server_share_pct":
						v = nil // of paced load, of load by slices
					case m.Unit == "bytes":
						pages := float64(int64(*v*1e5) / 4096 * 4096)
						v = &pages
					case i < 2 && (m.Source == "rusage of pidstat" || strings.Contains(m.Name, "rig_") || strings.Contains(m.Name, "k6_") || strings.Contains(m.Name, "stub_") || strings.Contains(m.Name, "machine_")):
						if shared[m.Name] == nil {
							shared[m.Name] = v
						}
						v = shared[m.Name]
					}
					r.Metrics[m.Name] = v
				}
				r.Metrics["failed_pct"] = new(float64)
				records = append(records, r)
			}
		}
	}
	return records
}

// sum is some SHA-256 in hex.
func sum(n int) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(strconv.Itoa(n)))) }
