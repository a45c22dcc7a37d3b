package doctor

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// sliceTime is about how long a slice of work takes: short beside a second, and
// long beside the clock's resolution.
const sliceTime = 10 * time.Millisecond

// spin does n steps of work that only the processor can slow down: each needs
// the one before, and none reads memory. So a neighbour who takes the cache or
// the memory's bandwidth is not seen.
func spin(n int) uint64 {
	x := uint64(88172645463325252)
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// calibrate is how many steps take about sliceTime here, now.
func calibrate() int {
	const steps = 1_000_000
	best := time.Hour
	for range 10 {
		start := time.Now()
		keep(spin(steps))
		best = min(best, time.Since(start))
	}
	return int(steps * float64(sliceTime) / float64(best))
}

// A worker does slices of work, pinned to one core.
type worker struct {
	rounds chan time.Duration
	slices chan []float64 // seconds that each slice of the round took
}

func startWorker(core, steps int) worker {
	w := worker{make(chan time.Duration), make(chan []float64)}
	go func() {
		// Never unlocked: the thread ends with the goroutine, and its pinning with it.
		runtime.LockOSThread()
		var set unix.CPUSet
		set.Set(core)
		unix.SchedSetaffinity(0, &set) // refused: then the kernel places it, as it does servers
		sum := uint64(0)
		for length := range w.rounds {
			slices := make([]float64, 0, 2*length/sliceTime+1)
			for begun, now := time.Now(), time.Now(); len(slices) == 0 || now.Sub(begun) < length; {
				start := now
				sum += spin(steps)
				now = time.Now()
				slices = append(slices, now.Sub(start).Seconds())
			}
			w.slices <- slices
		}
		keep(sum)
	}()
	return w
}

// keep takes what spin returned, so that the compiler cannot leave the work out.
//
//go:noinline
func keep(uint64) {}

// workOnce lets all workers work at once for so long: slices by core.
func workOnce(workers []worker, length time.Duration) [][]float64 {
	for _, w := range workers {
		w.rounds <- length
	}
	slices := make([][]float64, len(workers))
	for i, w := range workers {
		slices[i] = <-w.slices
	}
	return slices
}

// cores are those that this process may run on.
func cores() (all []int) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return []int{0}
	}
	for core := range len(set) * 64 {
		if set.IsSet(core) {
			all = append(all, core)
		}
	}
	return all
}
