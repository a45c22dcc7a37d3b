// Command cost measures the CPU time of a client for a stream or a request, on a real stub. Runs of
// the clients come in random order, each with fresh processes. It measures a window in the middle of
// each run, so start and summary do not count. Figures are ratios of neighbouring runs, since a
// shared machine's speed drifts.
//
//	go run ./cost -clients http,sse,idle
//	go run ./cost -clients wrk,plain,get
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"
)

var (
	k6      = flag.String("k6", "bin/k6", "the k6 binary")
	stubBin = flag.String("stub", "../stub/bin/stub", "the stub binary")
	rounds  = flag.Int("rounds", 6, "rounds")
	window  = flag.Duration("window", 4*time.Second, "measured time of each run")
	settle  = flag.Duration("settle", 2*time.Second, "time from the first stream to the window")
	names   = flag.String("clients", "http,sse", "clients to compare, the first being 1: http, sse, idle of streams, or wrk, plain, get, script of requests")
	paces   = flag.String("paces", "2ms/50,10ms/100", "of streams: itl of the 20 tokens / VUs, each")
	conns   = flag.String("connections", "50", "of requests: VUs, each with a connection; several with commas")
	extra   = flag.String("env", "", "what is added to a client's environment, such as GOMAXPROCS=1,GOGC=400")
	seed    = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the order of runs")
)

func main() {
	flag.Parse()
	if err := compareAll(); err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

func compareAll() error {
	rng := rand.New(rand.NewPCG(*seed, 0))
	fmt.Printf("seed %d\n", *seed)
	clients := strings.Split(*names, ",")
	for _, name := range clients {
		if c, ok := known[name]; !ok || c.requests != known[clients[0]].requests {
			return fmt.Errorf("client %q: want some of http, sse, idle, or some of wrk, plain, get, script", name)
		}
	}
	if known[clients[0]].requests {
		for vus := range strings.SplitSeq(*conns, ",") {
			if err := compare(rng, clients, load{vus: vus}); err != nil {
				return err
			}
		}
		return nil
	}
	for pace := range strings.SplitSeq(*paces, ",") {
		itl, vus, _ := strings.Cut(pace, "/")
		d, err := time.ParseDuration(itl)
		if err != nil {
			return err
		}
		if err := compare(rng, clients, load{d, vus}); err != nil {
			return err
		}
	}
	return nil
}

// A load is what all clients do: streams of a pace, or requests.
type load struct {
	itl time.Duration // 0: requests
	vus string
}

func (l load) String() string {
	if l.itl == 0 {
		return l.vus + " connections"
	}
	return fmt.Sprintf("20 tokens %v apart, %s VUs", l.itl, l.vus)
}

// compare runs the clients in rounds, and prints a line for each round and each client.
func compare(rng *rand.Rand, clients []string, l load) error {
	client, stub, rate := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
	for round := range *rounds {
		order := slices.Clone(clients)
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		line := fmt.Sprintf("%v, round %d:", l, round+1)
		for _, name := range order {
			c, err := run(name, l)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			client[name], stub[name], rate[name] = append(client[name], c.client), append(stub[name], c.stub), append(rate[name], c.perSecond)
			line += fmt.Sprintf("  %s %.1f us, stub %.1f (%.0f/s)", name, c.client, c.stub, c.perSecond)
		}
		fmt.Println(line)
	}
	fmt.Printf("| load | client | its CPU time | ratio to %s | stub's CPU time | sum | per second |\n", clients[0])
	for _, name := range clients {
		var ratios []float64
		for i, v := range client[name] {
			ratios = append(ratios, v/client[clients[0]][i])
		}
		fmt.Printf("| %v | %s | %.1f us | %.2f (%.2f to %.2f) | %.1f us | %.1f us | %.0f |\n",
			l, name, mean(client[name]), geomean(ratios), slices.Min(ratios), slices.Max(ratios), mean(stub[name]), mean(client[name])+mean(stub[name]), mean(rate[name]))
	}
	return nil
}

func mean(v []float64) (sum float64) {
	for _, x := range v {
		sum += x / float64(len(v))
	}
	return sum
}

func geomean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += math.Log(x) / float64(len(v))
	}
	return math.Exp(sum)
}
