package report

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// shares are the figures of made-up servers, as a share of the most usual one. One fails requests.
var shares = map[string]map[string]float64{
	"web": {
		"bun-compiled": 1.2, "bun-script": 1.19, "go-fasthttp": 1, "node-fastify": 0.9, "python-starlette": 0.3, "python-flask": 0.1,
		"bun-elysia-single": 1.1, "bun-elysia-monorepo-functions": 1.3, "bun-http": 1.25, "bun-web-standard": 0.95, "bun-fastify": 0.8,
		"bun-elysia-monorepo-instances": 0.5, "bun-elysia-microservices-in-process": 0.3, "bun-express": 0.25,
	},
	"files": {"bun-hono-fetch": 1.3, "node-express-axios": 1, "go-http": 2},
}

// claimed are made-up records of the servers and scenarios of a workload's claims. Every metric is a server's
// share of 1000, times the speed of the round, so that ratios can be checked by eye.
func claimed(w workload.Workload) (records []record.Record) {
	for round, speed := range []float64{1, 0.8, 1.1} {
		for scenario := range scenarios(w) {
			for i, name := range slices.Sorted(maps.Keys(shares[w.Name])) {
				r := made(name, "x", scenario, 1+round, 3, 1)
				r.Workload, r.Metrics, r.Started = w.Name, record.Metrics{}, time.Date(2026, 1, 2, 3, round, 0, 0, time.UTC)
				for _, m := range record.Table(w.Name) {
					v := 1000 * shares[w.Name][name] * speed * (1 + 0.01*float64((i+round)%3))
					if m.Name == "failed_pct" {
						v = 0
					}
					r.Metrics[m.Name] = &v
				}
				if name == "bun-hono-fetch" && scenario == "stress-8k-200" {
					*r.Metrics["failed_pct"] = 2
				}
				if name == "go-fasthttp" && scenario == "disk" {
					r.Status, r.Why = record.Warning, []string{"made up"}
				}
				records = append(records, r)
			}
		}
	}
	return records
}

func scenarios(w workload.Workload) map[string]bool {
	all := map[string]bool{}
	for _, c := range w.Claims {
		all[c.Scenario] = true
	}
	return all
}

func TestGoldenOfClaims(t *testing.T) {
	for name := range shares {
		got := written(t, "claims", claimed(workload.Named(name)))
		testfile.Check(t, "testdata/"+name+".claims", []byte(got))
	}
	var without InputError
	if err := Write(&strings.Builder{}, "claims", run()); !errors.As(err, &without) {
		t.Errorf("a workload without claims: %v", err)
	}
}

// The servers of claims are directories.
func TestClaimsAreOfServers(t *testing.T) {
	for _, w := range workload.All {
		for _, c := range w.Claims {
			for _, name := range []string{c.Of, c.Than} {
				if _, err := os.Stat(filepath.Join(servers, w.Name, name, "server.json")); name != "" && err != nil {
					t.Errorf("%q: %v", c.Text, err)
				}
			}
		}
	}
}

const (
	servers = "../../../../servers"
	notYet  = "No leaderboard run is stored yet.\n"
)

// The page of a workload has the tables of its stored run, and the claims of others. -update writes them anew.
func TestPagesHaveTheirTables(t *testing.T) {
	pages, claims := 0, 0
	for _, w := range workload.All {
		records, err := cli.ReadFile(filepath.Join(servers, w.Name, "results.jsonl"), record.Read)
		if w.Claims == nil && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		pages++
		tables, claimed := notYet, notYet
		if err == nil {
			tables = written(t, "markdown", records)
			if w.Claims != nil {
				claimed = written(t, "claims", records)
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		page := filepath.Join(servers, w.Name, "RESULTS.md")
		// Vale does not check what records say of themselves, and what others say.
		testfile.Region(t, page, "tables of the run", "tables", "<!-- vale off -->\n\n"+tables+"\n<!-- vale on -->\n")
		if w.Claims != nil {
			claims++
			testfile.Region(t, page, "claims", "claims", "<!-- vale off -->\n\n"+claimed+"\n<!-- vale on -->\n")
		}
	}
	if pages == 0 || claims == 0 {
		t.Errorf("%d pages, %d with claims; want some of each", pages, claims)
	}
}
