package record

import (
	"fmt"
	"math"

	"fairstream/scripts/internal/judge/raw"
)

// Limits of the difference between pidstat and a process's clock.
const (
	mostClockApart  = 0.05
	mostClockSlackS = 0.05 // ticks of 10 ms, and the edges of the window
)

// sampled compares pidstat with the clock of processes over the whole k6 run. There is nothing to compare for direct,
// which has no process, and on a machine without pidstat.
func (m measured) sampled(name string, pids []int) []string {
	if len(pids) == 0 || m.facts.Unsampled {
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

// tookSeconds is the duration of all slices of a k6 run.
func (l k6Run) tookSeconds() (sum float64) {
	for _, slice := range l.summary.Slices {
		sum += slice.TookMS / 1000
	}
	return sum
}

// cpuSeconds sums the CPU time of samples of one second each.
func cpuSeconds(samples []raw.Sample) (sum float64) {
	for _, s := range samples {
		sum += s.CPUPct / 100
	}
	return sum
}
