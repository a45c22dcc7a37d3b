package trial

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/process/processtest"
	"fairstream/scripts/internal/workload"
)

// BenchmarkInjectedCost measures the CPU time that injected code takes, without k6. With and without the code take turns on the
// same runtime. For a server with sizes it prints the time over the server's own count. For a patch that hashes it prints us a
// request.
//
//	go test -run '^$' -bench InjectedCost -benchtime 1x ./internal/measure/trial
func BenchmarkInjectedCost(b *testing.B) {
	for _, server := range Servers {
		b.Run(server, func(b *testing.B) {
			for b.Loop() {
				costOfWork(b, server)
			}
		})
	}
	patches, err := ReadPatches("patches")
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range patches {
		if p.Costs != "" {
			b.Run(p.Name, func(b *testing.B) {
				for b.Loop() {
					costOfHash(b, p)
				}
			})
		}
	}
}

// repetitions of both sides.
const repetitions = 30

// A requested is one side of the benchmark. repeat makes a fixed number of requests.
type requested struct {
	pid    int
	repeat func()
}

// more is head's CPU time less base's in each repetition, and base's, in us. The sides begin by turns.
func more(b *testing.B, base, head requested) (more, of []float64) {
	both := [2]requested{base, head}
	for _, s := range both {
		s.repeat() // a runtime compiles
	}
	for i := range repetitions {
		var us [2]float64
		for turn := range both {
			side := (i + turn) % 2
			before := processtest.CPUTime(b, both[side].pid)
			both[side].repeat()
			us[side] = float64((processtest.CPUTime(b, both[side].pid) - before).Nanoseconds()) / 1000
		}
		more, of = append(more, us[1]-us[0]), append(of, us[0])
	}
	return more, of
}

// report prints a mean and half of the 95 % interval.
func report(b *testing.B, values []float64, times float64, unit string) {
	mean, sd := stat.MeanStdDev(values, nil)
	n := float64(len(values))
	within := sd / math.Sqrt(n) * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
	b.ReportMetric(times*mean, unit)
	b.ReportMetric(times*within, "±"+unit)
}

// costOfWork compares the work for each read with the server's own count. There is so much of it that it stands out.
func costOfWork(b *testing.B, server string) {
	const streams = 200
	var sides [2]requested
	var head *injected
	for i, flags := range [][]string{{}, {"-work", "100000"}} {
		p := start(b, server, false, flags...)
		sides[i] = requested{p.Pid, func() {
			for range streams {
				p.stream(b)
			}
		}}
		head = p
	}
	took, of := more(b, sides[0], sides[1])
	told := head.told(b, streams*(repetitions+1))
	said := float64(told.Iterations) * told.NSPerIteration / 1000 / (repetitions + 1)
	report(b, took, 1/said, "measured/told")
	report(b, of, 1./streams, "base-us/stream")
}

// hashed is the code of the patches that have it.
var hashed = regexp.MustCompile(`^SHA-256 of (\d+) kB`)

// costOfHash measures the code of a patch alone, beside an empty loop.
func costOfHash(b *testing.B, p prove.Patch) {
	id, err := workload.Parse(p.Server)
	if err != nil {
		b.Fatal(err)
	}
	s, err := Copy(filepath.Join("../../../..", id.Dir()), b.TempDir())
	if err == nil {
		err = build.Server(b.Context(), s) // it may have the runtime
	}
	if err != nil {
		b.Fatal(err)
	}
	script, err := filepath.Abs("testdata/cost/hash" + map[string]string{"python": ".py", "node": ".mjs", "bun": ".mjs"}[s.Language])
	if err != nil {
		b.Fatal(err)
	}
	out, err := process.Output(b.Context(), process.Command{Args: []string{s.Run[0], script, hashed.FindStringSubmatch(p.What)[1], fmt.Sprint(repetitions)}, Dir: s.Dir})
	if err != nil {
		b.Fatal(err)
	}
	var took []float64
	for line := range strings.Lines(string(out)) {
		var empty, code float64
		if _, err := fmt.Sscan(line, &empty, &code); err != nil {
			b.Fatalf("%q: %v", line, err)
		}
		took = append(took, code-empty)
	}
	report(b, took, 1, "us")
}
