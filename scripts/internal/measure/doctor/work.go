package doctor

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Work says how even a fixed piece of work is, as ratios of its time to the median of the same core. It says how
// even the machine is just now. Nothing says how much a comparison scatters but comparisons.
type Work struct {
	Pieces         int     // 0: no core could be used
	Low, High, Max float64 // nine of ten pieces are from Low to High
}

// pieceSteps make a piece of about 10 ms on a core of 3 GHz, so that a host's time slice of some ms shows.
const pieceSteps = 4 << 20

// worked keeps the compiler from leaving the work out.
var worked atomic.Uint64

// piece does the work. It stays in registers, so its time is that of the core alone.
func piece(x uint64) time.Duration {
	started := time.Now()
	for range pieceSteps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	worked.Store(x)
	return time.Since(started)
}

// MeasureWork works on all cores at once, as a load does, until ctx ends.
func MeasureWork(ctx context.Context, cores []int) Work {
	var all sync.Mutex
	var ratios []float64
	var working sync.WaitGroup
	for _, core := range cores {
		working.Go(func() {
			runtime.LockOSThread() // without an unlock, so that the pinned thread ends with the goroutine
			var set unix.CPUSet
			set.Set(core)
			if unix.SchedSetaffinity(0, &set) != nil {
				return // the core went away; the others tell
			}
			var times []time.Duration
			for ctx.Err() == nil {
				times = append(times, piece(uint64(core)+1))
			}
			all.Lock()
			defer all.Unlock()
			ratios = append(ratios, toMedian(times)...)
		})
	}
	working.Wait()
	return spread(ratios)
}

// toMedian divides times by their median.
func toMedian(times []time.Duration) (ratios []float64) {
	slices.Sort(times)
	for _, t := range times {
		ratios = append(ratios, float64(t)/float64(times[(len(times)-1)/2]))
	}
	return ratios
}

// spread sums up ratios.
func spread(ratios []float64) Work {
	n := len(ratios)
	if n == 0 {
		return Work{}
	}
	slices.Sort(ratios)
	return Work{n, ratios[n/20], ratios[n-1-n/20], ratios[n-1]}
}
