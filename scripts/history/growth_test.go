package history

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/raw"
	"fairstream/scripts/record"
)

// The branch is fetched by every run and its chart by every reader, for years.
// This makes runs of eight servers and two scenarios whose figures vary as real
// ones do, and weighs the branch.
func TestTheBranchGrowsSlowly(t *testing.T) {
	runs, rounds := 60, 1
	if os.Getenv("FAIRSTREAM_LONG") != "" {
		runs = 500
	}
	for ; rounds <= 3; rounds += 2 {
		t.Run(fmt.Sprint(rounds, " rounds"), func(t *testing.T) {
			perRun, largest := grow(t, runs, rounds)
			// A run's records cannot be compressed beyond their digits, so three
			// rounds take more than one.
			if most := map[int]float64{1: 6 << 10, 3: 12 << 10}[rounds]; perRun > most {
				t.Errorf("%.0f bytes for a run, want at most %.0f", perRun, most)
			}
			if largest > 1e6 {
				t.Errorf("a file of %d bytes, want at most 1 MB", largest)
			}
		})
	}
}

// grow is how much each run takes of the packed branch, and the largest file.
func grow(t *testing.T, runs, rounds int) (perRun float64, largest int) {
	s, err := open(t.Context(), Remote{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Now()
	var runBytes, chartBytes int
	for n := range runs {
		run := simulated(random, n, rounds)
		runBytes = max(runBytes, len(run.Records))
		if s.tip, _, err = s.apply(t.Context(), run); err != nil {
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
			pack, _ = strconv.ParseFloat(strings.TrimSpace(kib), 64)
		}
	}
	c, err := ParseChart(data)
	if err != nil || len(c.Entries[Bigger]) == 0 {
		t.Fatalf("%v: %d entries", err, len(c.Entries[Bigger]))
	}
	t.Logf("%d runs of %d rounds: pack %.0f KiB, %.2f KiB for a run; run file %d bytes, data.js %d bytes with %d commits; %.0f s",
		runs, rounds, pack, pack/float64(runs), runBytes, chartBytes, len(c.Entries[Bigger]), time.Since(start).Seconds())
	return pack * 1024 / float64(runs), max(runBytes, chartBytes)
}

// simulated is a run of commit n: every figure some per cent beside its server's.
func simulated(random *rand.Rand, n, rounds int) Run {
	var hex strings.Builder
	for range 5 {
		fmt.Fprintf(&hex, "%08x", random.Uint32())
	}
	commit, harness, dirty := hex.String(), hash(n/10), false
	cpu, os, kernel, memory := "Intel(R) Core(TM) i5-4200U CPU @ 1.60GHz", "Debian GNU/Linux 12 (bookworm)", "6.1.0-18-amd64", int64(8237096960)
	started := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * 7 * time.Hour)
	var records []record.Record
	points := map[string][]Bench{}
	for position, server := range []string{"bun-hono", "bun-http", "go-fiber", "go-gin", "go-http", "rust-actix", "rust-axum", "rust-http"} {
		tree := fmt.Sprintf("%08x%032x", position*n/20, position)
		for round := range rounds {
			for i, scenario := range []string{"baseline", "stress"} {
				r := record.Record{
					Schema: record.Schema, Run: record.Run{ID: "records", Commit: &harness, Dirty: &dirty, Rounds: rounds, Seed: uint64(random.Uint32())},
					Host:   raw.Host{CPU: &cpu, Cores: 4, OS: &os, Kernel: &kernel, MemoryBytes: &memory},
					Tools:  map[string]string{"go": "1.26.8", "k6": "1.8.1", "sysstat": "12.6.1"},
					Server: raw.Server{Name: server, Language: "go", Framework: "gin", Commit: &commit, Tree: &tree, Versions: map[string]string{"go": "1.26.8", "gin": "1.12.0"}},
					Status: record.OK, Why: []string{}, Metrics: record.Metrics{}, Scenario: scenario, Round: round + 1, Position: 1,
					Started: started.Add(time.Duration(position*rounds+round)*4*time.Minute + time.Duration(i)*97*time.Second),
				}
				for k, m := range record.Table {
					v := float64(100*(k+1)+10*position+i) * (1 + 0.05*random.NormFloat64())
					if m.Unit == "bytes" {
						v = float64(int64(v*1e5) / 4096 * 4096)
					}
					v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 7, 64), 64)
					r.Metrics[m.Name] = &v
				}
				r.Metrics["failed_pct"] = new(float64)
				records = append(records, r)
				for suite, names := range map[string][]string{Bigger: {"req/s"}, Smaller: {"p95 ms", "peak RSS MB"}} {
					for _, name := range names {
						if round > 0 {
							continue
						}
						b := Bench{Name: server + " " + scenario + " " + name, Unit: "ms", Value: float64(int(random.NormFloat64()*500+10000)) / 10}
						if rounds > 1 {
							b.Range = fmt.Sprintf("%.1f to %.1f", b.Value*0.97, b.Value*1.03)
						}
						points[suite] = append(points[suite], b)
					}
				}
			}
		}
	}
	var text bytes.Buffer
	record.Write(&text, records)
	run := Run{Records: text.Bytes(), Points: map[string]Entry{}, RepoURL: "https://github.com/acme/fairstream", Time: started, Message: fmt.Sprintf("%.12s: records of all\n", commit)}
	run.Path, _ = RunPath(records, commit, strconv.Itoa(19283746500+n*1771), "1")
	for suite, benches := range points {
		who := Person{"A. Person", "a-person"}
		run.Points[suite] = Entry{
			Commit: Commit{who, Person{"GitHub", "web-flow"}, commit, fmt.Sprintf("servers: change %d of something that takes a line (#%d)", n, n), started, "https://github.com/acme/fairstream/commit/" + commit},
			Date:   started.UnixMilli(), Tool: "customBiggerIsBetter", Benches: benches,
		}
	}
	return run
}
