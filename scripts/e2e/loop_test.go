package e2e

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// loopOf is the simplest loop of a server's runtime; other servers have that
// of their language.
var loopOf = map[string]string{
	"rust-http": "rust-threads", "rust-actix": "rust-tokio", "rust-axum": "rust-tokio", "cpp-beast": "cpp", "cpp-epoll": "cpp",
}

const loopRounds = 3

// serversAndLoops are the servers of relay, and the loops by name. Each server has one.
func serversAndLoops(t testing.TB, root string) (servers []server.Server, loops map[string]server.Server) {
	t.Helper()
	all, err := server.All(filepath.Join(root, "servers"))
	if err == nil {
		servers, err = server.Select(all, []string{"relay"})
	}
	if err != nil {
		t.Fatal(err)
	}
	loops = map[string]server.Server{}
	for _, s := range servers {
		name := cmp.Or(loopOf[s.Name], s.Language)
		if loops[name], err = server.Load(filepath.Join(root, "scripts", "e2e", "testdata", "loop", name)); err != nil {
			t.Fatalf("%s: no loop: %v", s.Name, err)
		}
	}
	return servers, loops
}

func TestEachServerOfRelayHasALoop(t *testing.T) {
	serversAndLoops(t, "..")
}

// BenchmarkCostBesideTheSimplestLoop prints the CPU time of a stream for each server, and its ratio to the
// simplest loop of its runtime in the same round. Such a loop relays the same bytes without a framework. All
// are loaded side by side. It takes 2 minutes:
//
//	go test -C scripts -run '^$' -bench SimplestLoop -benchtime 1x ./e2e
func BenchmarkCostBesideTheSimplestLoop(b *testing.B) {
	root, err := filepath.Abs("..")
	if err != nil {
		b.Fatal(err)
	}
	servers, loops := serversAndLoops(b, root)
	all := session.Targets(b.Context(), slices.AppendSeq(slices.Clone(servers), maps.Values(loops)))
	if err := session.Build(b.Context(), all); err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(b.TempDir(), "raw")
	err = load.Run(b.Context(), load.Options{
		Root: root, Dir: dir, Workload: workload.All[0], Targets: all, Scenarios: []string{record.Ranking}, Only: []string{"steady"}, Asked: raw.Asked{Rounds: loopRounds, Seed: 1}, Ports: process.FreePort,
		Left: func(time.Duration) {}, Step: func(label string, _ time.Duration) { fmt.Println(label) },
	})
	if err != nil {
		b.Fatal(err)
	}
	records, _, _, err := record.FromRaw(dir)
	if err != nil {
		b.Fatal(err)
	}
	type key struct {
		name  string
		round int
	}
	cost := map[key]float64{}
	for _, r := range records {
		us, known := r.Metrics.Get("server_cpu_us_per_stream")
		if !known {
			b.Fatalf("%s: %s: %q", r.Server.Name, r.Status, r.Why)
		}
		cost[key{r.Server.Name, r.Round}] = us
	}
	for _, s := range servers {
		loop := cmp.Or(loopOf[s.Name], s.Language)
		var us, ratios []float64
		for round := 1; round <= loopRounds; round++ {
			us = append(us, cost[key{s.Name, round}])
			ratios = append(ratios, cost[key{s.Name, round}]/cost[key{loop, round}])
		}
		slices.Sort(us)
		slices.Sort(ratios)
		fmt.Printf("%-12s %4.0f us/stream, x%.2f of %s (x%.2f to x%.2f in %d rounds)\n",
			s.Name, us[loopRounds/2], ratios[loopRounds/2], loop, ratios[0], ratios[loopRounds-1], loopRounds)
	}
}
