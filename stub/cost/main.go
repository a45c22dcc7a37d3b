// Command cost measures the CPU time that the stub takes for a token of the workload relay, as a
// ratio to a bare loop. The bare loop makes the same writes at the same times, and does nothing
// else. Both are drained by the same client, at the same moments. Runs come in random order, each
// with a fresh process. Figures are ratios of neighbouring runs, since a shared machine's speed
// drifts. It fails if a ratio is above the limit.
//
//	go run -C stub ./cost
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
	stubBin   = flag.String("stub", "bin/stub", "the stub `binary`")
	reference = flag.String("reference", "", "another stub `binary` to compare with, instead of the bare loop")
	rounds    = flag.Int("rounds", 5, "`number` of rounds")
	window    = flag.Duration("window", 2500*time.Millisecond, "measured `time` of each run")
	settle    = flag.Duration("settle", 1200*time.Millisecond, "`time` from the first stream to the window")
	paces     = flag.String("paces", "2ms/1,10ms/50,20ms/200,50ms/1000", "itl of the 20 tokens / `streams` at a time, each")
	kept      = flag.Float64("kept", 0.7, "smallest `share` of the pace that counts; with less, the machine is too busy")
	most      = flag.Float64("most", 1.2, "largest `ratio` that passes")
	seed      = flag.Uint64("seed", uint64(time.Now().UnixNano()), "`seed` of the order of runs and of the starts of streams")
)

func main() {
	flag.Parse()
	var err error
	if slices.Equal(flag.Args(), []string{"bare"}) {
		err = bare(os.Stdin)
	} else {
		err = compare()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

// A pace is how many streams are open, and the time between their tokens.
type pace struct {
	itl     time.Duration
	streams int
}

func (p pace) String() string { return fmt.Sprintf("%d streams, %v", p.streams, p.itl) }

func parsePaces(list string) (all []pace, err error) {
	for text := range strings.SplitSeq(list, ",") {
		var p pace
		itl, streams, _ := strings.Cut(text, "/")
		if p.itl, err = time.ParseDuration(itl); err == nil {
			_, err = fmt.Sscan(streams, &p.streams)
		}
		if err != nil || p.itl <= 0 || p.streams < 1 {
			return nil, fmt.Errorf("-paces %s: want itl/streams, such as 10ms/50", text)
		}
		all = append(all, p)
	}
	return all, nil
}

func compare() error {
	all, err := parsePaces(*paces)
	if err != nil {
		return err
	}
	fmt.Printf("seed %d\n", *seed)
	rng := rand.New(rand.NewPCG(*seed, 0))
	us := map[pace][2][]float64{}
	for round := range *rounds {
		for _, p := range all {
			var at [2]float64
			starts := rng.Uint64() // of streams: both are drained at the same moments
			for _, side := range rng.Perm(2) {
				if at[side], err = run(side == 0, p, starts); err != nil {
					return err
				}
			}
			us[p] = [2][]float64{append(us[p][0], at[0]), append(us[p][1], at[1])}
			fmt.Printf("round %d of %d: %v: stub %.2f us a token, reference %.2f us, ratio %.3f\n", round+1, *rounds, p, at[0], at[1], at[0]/at[1])
		}
	}
	var over []string
	for _, p := range all {
		var ratios []float64
		for i := range us[p][0] {
			ratios = append(ratios, us[p][0][i]/us[p][1][i])
		}
		ratio := geomean(ratios)
		fmt.Printf("%4d streams, %4v apart: stub %6.2f us a token, reference %6.2f us, ratio %.3f (%.3f to %.3f)\n",
			p.streams, p.itl, geomean(us[p][0]), geomean(us[p][1]), ratio, slices.Min(ratios), slices.Max(ratios))
		if ratio > *most {
			over = append(over, p.String())
		}
	}
	if len(over) > 0 {
		return fmt.Errorf("ratio above %v: %s", *most, strings.Join(over, "; "))
	}
	return nil
}

func geomean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += math.Log(x) / float64(len(v))
	}
	return math.Exp(sum)
}
