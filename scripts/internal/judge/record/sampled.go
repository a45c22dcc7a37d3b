package record

import (
	"fmt"
	"math"

	"fairstream/scripts/internal/judge/raw"
)

// How far pidstat and a process's clock may be apart.
const (
	mostClockApart  = 0.05
	mostClockSlackS = 0.05 // ticks of 10 ms, and the window's edges
)

// sampled holds pidstat to the clock of processes, over the whole k6 run; of no
// process, as direct has none, it says nothing.
func (m measured) sampled(name string, pids []int) []string {
	if len(pids) == 0 {
		return nil
	}
	samples, took := m.of(pids), m.tookSeconds()
	if want := 0.9 * math.Floor(took); float64(seconds(samples)) < want {
		return []string{fmt.Sprintf("pidstat sampled %s in %d seconds of %.0f", name, seconds(samples), took)}
	}
	clock, pidstat := m.totals()[name], cpuSeconds(samples)
	if math.Abs(clock-pidstat) > mostClockApart*clock+mostClockSlackS {
		return []string{fmt.Sprintf("CPU time of %s: %.2f s by its clock, %.2f s by pidstat; want a difference of at most 5 %%", name, clock, pidstat)}
	}
	return nil
}

// tookSeconds is how long all slices of a k6 run took.
func (l k6Run) tookSeconds() (sum float64) {
	for _, slice := range l.summary.Slices {
		sum += slice.TookMS / 1000
	}
	return sum
}

// cpuSeconds is the CPU time in samples of one second each.
func cpuSeconds(samples []raw.Sample) (sum float64) {
	for _, s := range samples {
		sum += s.CPUPct / 100
	}
	return sum
}
