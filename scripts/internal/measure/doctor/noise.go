package doctor

import (
	"context"
	"io/fs"
	"math"
	"runtime"
	"time"
)

// Noise is what was measured on this machine, now. Differences are standard
// deviations of the logarithm of a ratio, times 100, which is per cent as long as
// they are small; the ratio is of two means that would be the same on a machine
// without noise.
type Noise struct {
	Seconds  int      `json:"seconds"`
	Cores    int      `json:"cores"`
	Work     Work     `json:"work"`
	Timer    Delays   `json:"timer_late"`
	Loopback Loopback `json:"loopback_round_trip"`

	// Meanwhile, in per cent of the cores' time; null is not known.
	StealPct  *float64 `json:"steal_pct"`
	OthersPct *float64 `json:"others_pct"`
}

// Work is a fixed amount of work, done again and again on all cores at once.
type Work struct {
	SliceMs      float64 `json:"slice_ms"` // median
	InSecondPct  float64 `json:"in_a_second_pct"`
	NextPct      float64 `json:"neighbouring_seconds_pct"`
	LoadS        int     `json:"load_s"` // length of the two loads that are compared:
	AfterPct     float64 `json:"one_after_the_other_pct"`
	TurnsPct     float64 `json:"in_turns_of_1_s_pct"`
	FastTurnsPct float64 `json:"in_turns_of_10_ms_pct"`
}

// Delays are a distribution.
type Delays struct {
	N     int     `json:"n"`
	P50us float64 `json:"p50_us"`
	P99us float64 `json:"p99_us"`
	MaxUs float64 `json:"max_us"`
}

// Loopback is how long 200 bytes take over TCP to another thread and back.
type Loopback struct {
	Delays
	SecondsPct float64 `json:"between_seconds_pct"` // of the second's median
}

// MinSeconds is the least that can be measured: two loads of 2 s, also in turns.
const MinSeconds = 8

// Each second is shared, so that each of the three is seen all the time through.
const (
	workTime  = 600 * time.Millisecond
	timerTime = 200 * time.Millisecond
	tripsTime = 200 * time.Millisecond
)

// Measure measures for so many seconds, at least MinSeconds. It uses all cores
// and memory of its own only. root is where /proc is.
func Measure(ctx context.Context, root fs.FS, seconds int) (Noise, error) {
	m := &machine{root: root}
	cores := cores()
	// Also where a quota made Go keep to fewer threads: the workers must not wait
	// for each other. One is for the rest.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(len(cores) + 1))
	l, err := newLoopback()
	if err != nil {
		return Noise{}, err
	}
	defer l.close()
	steps := calibrate()
	var workers []worker
	for _, core := range cores {
		w := startWorker(core, steps)
		defer close(w.rounds)
		workers = append(workers, w)
	}
	var work [][][]float64
	var late, trips, medians []float64
	m.before = m.usage()
	for range seconds {
		work = append(work, workOnce(workers, workTime))
		late = append(late, lateness(timerTime)...)
		took, err := l.trips(tripsTime)
		if err != nil {
			return Noise{}, err
		}
		trips = append(trips, took...)
		medians = append(medians, quantile(sorted(took), 0.5))
		if ctx.Err() != nil {
			return Noise{}, ctx.Err()
		}
	}
	m.after = m.usage()
	n := Noise{Seconds: seconds, Cores: len(cores), Work: compareWork(work), Timer: delays(late)}
	n.Loopback = Loopback{delays(trips), 100 * rms(deviations(medians))}
	n.StealPct, n.OthersPct = m.meanwhile()
	return n, nil
}

// meanwhile is what the host took and what other processes used between the two
// readings, in per cent.
func (m *machine) meanwhile() (steal, others *float64) {
	window := float64(m.after.cpu.all - m.before.cpu.all)
	self, _ := m.own()
	before, known := m.before.processes[self]
	after, known2 := m.after.processes[self]
	if window <= 0 {
		return nil, nil
	}
	s := 100 * float64(m.after.cpu.steal-m.before.cpu.steal) / window
	if !known || !known2 {
		return &s, nil
	}
	busy := m.after.cpu.busy - m.before.cpu.busy - (after.used - before.used)
	o := 100 * math.Max(0, float64(busy)) / window
	return &s, &o
}

func delays(seconds []float64) Delays {
	s := sorted(seconds)
	return Delays{len(s), 1e6 * quantile(s, 0.5), 1e6 * quantile(s, 0.99), 1e6 * quantile(s, 1)}
}

// compareWork judges slices of work by second and core. Two loads are imagined
// to have been under way wherever two would fit: one after the other, or in
// turns as base, head, head, base. Both did the same work, so what differs is noise.
func compareWork(work [][][]float64) Work {
	w := Work{LoadS: max(1, len(work)/4)}
	var all, inSecond []float64
	for _, second := range work {
		for _, slices := range second {
			all = append(all, slices...)
			inSecond = append(inSecond, deviations(slices)...)
		}
	}
	w.SliceMs = 1e3 * quantile(sorted(all), 0.5)
	w.InSecondPct = 100 * rms(inSecond)
	base := func(turn int) bool { return turn%4 == 0 || turn%4 == 3 }
	w.NextPct = differ(work, 1, func(second, _ int) bool { return second < 1 })
	w.AfterPct = differ(work, w.LoadS, func(second, _ int) bool { return second < w.LoadS })
	w.TurnsPct = differ(work, w.LoadS, func(second, _ int) bool { return base(second) })
	w.FastTurnsPct = differ(work, w.LoadS, func(_, slice int) bool { return base(slice) })
	return w
}

// differ is the standard deviation of the ratio of two loads of so many seconds
// each, in per cent. isBase says which second and slice was the first load's.
func differ(work [][][]float64, seconds int, isBase func(second, slice int) bool) float64 {
	var ratios []float64
	for from := 0; from+2*seconds <= len(work); from++ {
		var base, head sum
		for core := range work[from] {
			slice := 0 // counted over the seconds, so that both loads get some
			for second := range 2 * seconds {
				for _, took := range work[from+second][core] {
					if isBase(second, slice) {
						base.add(took)
					} else {
						head.add(took)
					}
					slice++
				}
			}
		}
		ratios = append(ratios, logRatio(head, base))
	}
	return 100 * rms(ratios)
}
