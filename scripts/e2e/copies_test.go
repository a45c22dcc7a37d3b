package e2e

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

var (
	copiesOf       = flag.String("copies-of", "go-http", "the `server` that BenchmarkTwoCopies loads twice")
	copiesRounds   = flag.Int("copies-rounds", 12, "rounds of BenchmarkTwoCopies")
	copiesVariants = flag.String("copies-variants", "shared,solo", "how BenchmarkTwoCopies loads: some of shared, solo, split, slice=DURATION")
)

// copiesLoad is how long the paced scenario loads.
const copiesLoad = 8 * time.Second

// BenchmarkTwoCopies loads two identical copies of one server and prints how far their figures differ: the
// standard deviation over rounds of the logarithm of their ratio. Direct is beside them, as in every run; a
// solo run has nothing beside. The variants alternate round by round, so that drift affects all of them.
// Twelve rounds of shared and solo take 20 minutes:
//
//	go test -C scripts -timeout 2h -run '^$' -bench TwoCopies -benchtime 1x ./e2e
func BenchmarkTwoCopies(b *testing.B) {
	root, err := filepath.Abs("..")
	if err != nil {
		b.Fatal(err)
	}
	var servers []server.Server
	for _, name := range []string{"copy-a", "copy-b"} {
		dir := filepath.Join(b.TempDir(), name)
		if out, err := exec.Command("cp", "-a", filepath.Join(root, "servers/relay", *copiesOf), dir).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		s, err := server.Load(dir)
		if err != nil {
			b.Fatal(err)
		}
		servers = append(servers, s)
	}
	all := session.Targets(b.Context(), servers)
	if err := session.Build(b.Context(), all); err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(all[0].Broken, all[1].Broken); err != nil {
		b.Fatal(err)
	}
	if *all[0].Artefact != *all[1].Artefact {
		b.Fatal("the copies are different programs")
	}
	variants := strings.Split(*copiesVariants, ",")
	of := map[string][]record.Record{}
	for round := 1; round <= *copiesRounds; round++ {
		// The variant that comes first is another one in each round.
		for i := range variants {
			variant := variants[(i+round)%len(variants)]
			o := load.Options{
				Root: root, Dir: filepath.Join(b.TempDir(), fmt.Sprint(variant, round)), Workload: workload.All[0], Targets: slices.Clone(all),
				Scenarios: []string{record.Ranking}, Only: []string{"steady", "stress"}, Asked: raw.Asked{LoadMS: copiesLoad.Milliseconds(), Rounds: 1, Seed: uint64(round)}, Ports: process.FreePort,
				Left: func(time.Duration) {}, Step: func(string, time.Duration) {},
			}
			if err := vary(&o, variant); err != nil {
				b.Fatal(err)
			}
			if !o.Solo {
				o.Targets = append(o.Targets, load.Direct)
			}
			if err := load.Run(b.Context(), o); err != nil {
				b.Fatal(err)
			}
			records, _, _, err := record.FromRaw(o.Dir)
			if err != nil {
				b.Fatal(err)
			}
			for i := range records {
				records[i].Round = round
			}
			of[variant] = append(of[variant], records...)
		}
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round, *copiesRounds)
	}
	tw := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "variant\tscenario\tmetric\tsd of the log ratio, %\t95 % interval\tmean, %\trounds\tsd from round to round of one copy, %")
	for _, variant := range variants {
		for _, cell := range [][2]string{
			{"steady", "server_cpu_us_per_stream"}, {"steady", "ttft_p95_ms"}, {"steady", "server_rss_peak_bytes"},
			{"stress-10", "server_cpu_us_per_stream"}, {"stress-100", "rate_per_s"}, {"stress-100", "stream_p95_ms"}, {"stress-100", "server_cpu_us_per_stream"},
			{"stress-200", "rate_per_s"}, {"stress-200", "stream_p95_ms"},
		} {
			spread(tw, variant, of[variant], cell[0], cell[1])
		}
	}
	tw.Flush() // to stdout, for who asked for it
	for _, variant := range variants {
		fmt.Printf("%s: %s\n", variant, disturbed(of[variant]))
	}
}

// vary sets what a variant's name says.
func vary(o *load.Options, variant string) (err error) {
	slice, isSlice := strings.CutPrefix(variant, "slice=")
	switch {
	case variant == "shared":
	case variant == "solo":
		o.Solo = true
	case variant == "split":
		o.Placement, err = load.ParsePlacement("split")
	case isSlice:
		var d time.Duration
		d, err = time.ParseDuration(slice)
		o.SliceMS = d.Milliseconds()
	default:
		err = fmt.Errorf("variant %q: want shared, solo, split or slice=DURATION", variant)
	}
	return err
}

// spread writes how far apart the copies were in one cell.
func spread(w *tabwriter.Writer, variant string, records []record.Record, scenario, metric string) {
	sides := map[string]map[int]float64{"copy-a": {}, "copy-b": {}}
	for _, r := range records {
		side, ok := sides[r.Server.Name]
		if v, known := r.Metrics.Get(metric); ok && known && r.Scenario == scenario && v > 0 {
			side[r.Round] = math.Log(v)
		}
	}
	var ratios, drift []float64
	for round, a := range sides["copy-a"] {
		if b, known := sides["copy-b"][round]; known {
			ratios = append(ratios, b-a)
		}
		if next, known := sides["copy-a"][round+1]; known {
			drift = append(drift, next-a)
		}
	}
	if len(ratios) < 3 {
		fmt.Fprintf(w, "%s\t%s\t%s\t?\n", variant, scenario, metric)
		return
	}
	// The interval is that of a normal distribution's variance.
	sd, free := stat.StdDev(ratios, nil), float64(len(ratios)-1)
	chi := distuv.ChiSquared{K: free}
	low, high := sd*math.Sqrt(free/chi.Quantile(0.975)), sd*math.Sqrt(free/chi.Quantile(0.025))
	fmt.Fprintf(w, "%s\t%s\t%s\t%.2f\t%.2f to %.2f\t%+.2f\t%d\t%.2f\n",
		variant, scenario, metric, 100*sd, 100*low, 100*high, 100*stat.Mean(ratios, nil), len(ratios), 100*stat.StdDev(drift, nil)/math.Sqrt2)
}

// disturbed says what the machine did beside, as far as it is known.
func disturbed(records []record.Record) string {
	var others, steal []float64
	warned := 0
	for _, r := range records {
		if c := r.Conditions; c.OthersPct != nil && c.StealPct != nil {
			others, steal = append(others, *c.OthersPct), append(steal, *c.StealPct)
		}
		if r.Status != record.OK {
			warned++
		}
	}
	if len(others) == 0 {
		return "what others used is not known"
	}
	return fmt.Sprintf("others used %.1f %% of the machine (at most %.1f %%), %.1f %% was stolen (at most %.1f %%); %d of %d records are not ok",
		stat.Mean(others, nil), slices.Max(others), stat.Mean(steal, nil), slices.Max(steal), warned, len(records))
}
