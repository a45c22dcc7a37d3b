package record

import (
	"fmt"
	"math"
	"slices"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
)

// measured is one target on one level of a k6 run.
type measured struct {
	k6Run
	target raw.TargetFacts
	load   raw.Load
	loaded bool      // k6 loaded it
	direct *raw.Load // direct in the same seconds; nil without direct
	paced  bool      // targets are loaded side by side at a fixed pace
	cores  int
}

func (l k6Run) measured(target raw.TargetFacts, scenario, level string, cores int) measured {
	_, timeSlices := Level(Scenario(scenario, level))
	m := measured{k6Run: l, target: target, paced: timeSlices == "", cores: cores}
	m.load, m.loaded = l.summary.Load(target.Name, level)
	m.load.TurnGap = raw.TimesOf(l.facts.TurnGaps[raw.Gaps(target.Name, level)])
	if d, ok := l.summary.Load(raw.Direct, level); ok && d.Failed == 0 && d.Requests > 0 {
		m.direct = &d
	}
	return m
}

// server reports whether the target is a server, and not direct.
func (m measured) server() bool { return m.target.Name != raw.Direct }

// rigSeconds is the CPU time of k6 and the stub in the target's slices.
func (m measured) rigSeconds() (float64, bool) {
	k6, ok := m.load.CPUSeconds["k6"]
	stub, both := m.load.CPUSeconds["stub"]
	return k6 + stub, ok && both
}

// allSeconds is the CPU time of all our processes in the target's slices. ok is false when one is unknown.
func (m measured) allSeconds() (sum float64, ok bool) {
	_, ok = m.rigSeconds()
	for _, t := range m.facts.Targets {
		if _, known := m.load.CPUSeconds[t.Name]; !known && len(t.PIDs) > 0 {
			ok = false
		}
	}
	for _, used := range m.load.CPUSeconds {
		sum += used
	}
	return sum, ok
}

// rigRequests counts the requests of the rig in the target's slices. In a paced scenario these are the requests
// of all targets. whole is false when other requests failed, since they cost CPU too.
func (m measured) rigRequests() (n int64, whole bool) {
	if !m.paced {
		return m.load.Requests, m.load.Failed == 0
	}
	whole = true
	for _, l := range m.summary.Loads {
		if l.Level == m.load.Level {
			n += l.Requests
			whole = whole && l.Failed == 0
		}
	}
	return n, whole
}

// ofTarget returns pidstat's samples of the target's processes.
func (m measured) ofTarget() []raw.Sample { return m.of(m.target.PIDs) }

// of returns pidstat's samples of processes.
func (l k6Run) of(pids []int) []raw.Sample {
	var found []raw.Sample
	for _, s := range l.samples {
		for _, pid := range pids {
			if s.PID == pid {
				found = append(found, s)
			}
		}
	}
	return found
}

// seconds counts the seconds that have samples.
func seconds(samples []raw.Sample) int {
	seen := map[int64]bool{}
	for _, s := range samples {
		seen[s.Time] = true
	}
	return len(seen)
}

// meanRSS is the mean over the level, with the slices of other targets: their level goes on until the last slice.
func (m measured) meanRSS() (float64, bool) {
	var begin, end float64 // Unix seconds
	for _, slice := range m.summary.Slices {
		if slice.Level != m.load.Level {
			continue
		}
		started := float64(slice.StartedUnixMS) / 1000
		if end == 0 {
			begin = started
		}
		end = started + slice.TookMS/1000
	}
	samples := slices.DeleteFunc(m.ofTarget(), func(s raw.Sample) bool {
		return float64(s.Time) <= begin || float64(s.Time-1) >= end
	})
	var sum float64
	for _, s := range samples {
		sum += float64(s.RSSBytes)
	}
	n := seconds(samples)
	return sum / float64(n), n > 0
}

// conditions describe the machine in the target's slices. pidstat counts as another program, since nothing
// watches it. It takes less than 0.1 % of a core.
func (m measured) conditions() Conditions {
	c := Conditions{LoadBefore: m.facts.LoadBefore, Disturbed: []string{}}
	all := m.load.Seconds * float64(m.cores)
	if !m.loaded || all <= 0 {
		return c
	}
	if steal := m.load.MachineStealSeconds; steal != nil {
		c.StealPct = digits(100 * *steal / all)
	}
	// The CPU time of our ended processes would count as that of other programs.
	if busy := m.load.MachineBusySeconds; busy != nil {
		if ours, known := m.allSeconds(); known {
			c.OthersPct = digits(hist.OthersPct(*busy, ours, all))
		}
	}
	return c
}

// totals sums the CPU time of each watched process over all slices, with the warm-up. An ended process counts
// up to its end.
func (m measured) totals() map[string]float64 {
	sum := map[string]float64{}
	for _, slice := range m.following() {
		for name, used := range slice.CPUMS {
			sum[name] += used / 1000
		}
	}
	return sum
}

// following are the slices that follow one another. Scripts have a k6 each, and their slices are at the same time: those of the target
// count, or those of the first one.
func (m measured) following() []hist.Slice {
	all := m.summary.Slices
	if len(m.summary.Scripts) < 2 || len(all) == 0 {
		return all
	}
	one := []string{m.target.Name}
	if _, own := m.summary.Scripts[m.target.Name]; !own {
		one = all[0].Targets
	}
	return slices.DeleteFunc(slices.Clone(all), func(s hist.Slice) bool { return !slices.Equal(s.Targets, one) })
}

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
func (m measured) tookSeconds() (sum float64) {
	for _, slice := range m.following() {
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
