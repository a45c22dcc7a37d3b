// Command cost measures the CPU time of the k6 process for a stream, with k6/http as a scenario
// would use it, and with k6/x/sse, on the same streams of a real stub. Runs alternate in random
// order, each with fresh processes. It measures a window in the middle of each run, so that k6's
// start and summary do not count. Figures are ratios of neighbouring runs, since a shared machine's
// speed drifts.
//
//	go run ./cost -k6 bin/k6 -stub ../stub/bin/stub
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"fairstream/k6/rig"
)

var (
	k6      = flag.String("k6", "bin/k6", "the k6 binary")
	stubBin = flag.String("stub", "../stub/bin/stub", "the stub binary")
	rounds  = flag.Int("rounds", 6, "rounds")
	window  = flag.Duration("window", 4*time.Second, "measured time of each run")
	settle  = flag.Duration("settle", 2*time.Second, "time from the first stream to the window")
	names   = flag.String("clients", "http,sse", "clients to compare, the first being 1: http, sse, idle")
	paces   = flag.String("paces", "2ms/50,10ms/100", "itl of the 20 tokens / VUs, each")
	extra   = flag.String("env", "", "what is added to k6's environment, such as GOMAXPROCS=1,GOGC=400")
	seed    = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the order of runs")
)

func main() {
	flag.Parse()
	if err := compare(); err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

func compare() error {
	_, source, _, _ := runtime.Caller(0)
	script := filepath.Join(filepath.Dir(source), "stream.js")
	rng := rand.New(rand.NewPCG(*seed, 0))
	clients := strings.Split(*names, ",")
	fmt.Printf("seed %d\n", *seed)
	for pace := range strings.SplitSeq(*paces, ",") {
		itlText, vus, _ := strings.Cut(pace, "/")
		itl, err := time.ParseDuration(itlText)
		if err != nil {
			return err
		}
		us := map[string][]float64{}
		for round := range *rounds {
			order := slices.Clone(clients)
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			line := fmt.Sprintf("%s %s VUs, round %d:", itl, vus, round+1)
			for _, client := range order {
				cost, rate, err := run(script, client, itl, vus)
				if err != nil {
					return fmt.Errorf("%s: %w", client, err)
				}
				us[client] = append(us[client], cost)
				line += fmt.Sprintf("  %s %.1f us (%.0f/s)", client, cost, rate)
			}
			fmt.Println(line)
		}
		for _, client := range clients {
			var ratios []float64
			for i, v := range us[client] {
				ratios = append(ratios, v/us[clients[0]][i])
			}
			_, least, most := spread(ratios)
			mean, _, _ := spread(us[client])
			fmt.Printf("20 tokens %s apart, %s VUs: %-5s %6.1f us/stream, ratio to %s %.3f (%.3f to %.3f)\n",
				itl, vus, client, mean, clients[0], geomean(ratios), least, most)
		}
	}
	return nil
}

func spread(v []float64) (mean, least, most float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	return mean, slices.Min(v), slices.Max(v)
}

func geomean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += math.Log(x) / float64(len(v))
	}
	return math.Exp(sum)
}

// run measures one client with a new stub and a new k6: microseconds of k6's CPU time for a stream,
// and streams per second.
func run(script, client string, itl time.Duration, vus string) (us, perSecond float64, err error) {
	stub, base, err := rig.Stub(*stubBin)
	if err != nil {
		return 0, 0, err
	}
	defer rig.End(stub)
	load := rig.K6(*k6, script, []string{
		"CLIENT=" + client, "VUS=" + vus, "TARGET_URL=" + base + "/chat/completions", "MESSAGE=hello @tokens=20 @itl=" + itl.String(),
		fmt.Sprintf("SLEEP_MS=%d", 20*itl.Milliseconds()),
	}, "--no-summary")
	if *extra != "" {
		load.Env = append(load.Env, strings.Split(*extra, ",")...)
	}
	if err := load.Start(); err != nil {
		return 0, 0, err
	}
	defer rig.End(load)

	streams := func() (float64, error) {
		n, err := rig.Completed(base)
		return float64(n), err
	}
	if client == "idle" { // counts on the wall clock
		started := time.Now()
		streams = func() (float64, error) {
			var n float64
			_, err := fmt.Sscan(vus, &n)
			return n * time.Since(started).Seconds() / (20 * itl.Seconds()), err
		}
		time.Sleep(2 * time.Second)
	}
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		n, err := streams()
		if err != nil {
			return 0, 0, err
		}
		if n > 0 {
			break
		}
		if time.Now().After(until) {
			return 0, 0, fmt.Errorf("no stream within 20 s")
		}
	}
	time.Sleep(*settle)
	n0, err := streams()
	if err != nil {
		return 0, 0, err
	}
	cpu0, started := cpuTime(load.Process.Pid), time.Now()
	time.Sleep(*window)
	cpu, took := cpuTime(load.Process.Pid)-cpu0, time.Since(started)
	n1, err := streams()
	if err != nil {
		return 0, 0, err
	}
	if n1-n0 < 1 || cpu <= 0 {
		return 0, 0, fmt.Errorf("%v streams in %v of CPU time", n1-n0, cpu)
	}
	return float64(cpu.Microseconds()) / (n1 - n0), (n1 - n0) / took.Seconds(), nil
}
