package record

import (
	"fairstream/scripts/internal/judge/raw"
)

// measured is what one k6 run says of one target on one level.
type measured struct {
	k6Run
	target raw.TargetFacts
	load   raw.Load
	loaded bool      // there is a load
	direct *raw.Load // that of direct, in the same seconds; nil when there is none to compare with
	paced  bool      // targets side by side, as the record's name says
	cores  int
}

func (l k6Run) measured(target raw.TargetFacts, scenario, level string, cores int) measured {
	_, timeSlices := Level(Scenario(scenario, level))
	m := measured{k6Run: l, target: target, paced: timeSlices == "", cores: cores}
	m.load, m.loaded = l.summary.Load(target.Name, level)
	if d, ok := l.summary.Load(raw.Direct, level); ok && d.Failed == 0 && d.Streams > 0 {
		m.direct = &d
	}
	return m
}

// server says whether the target is one: direct is the stub itself.
func (m measured) server() bool { return m.target.Name != raw.Direct }

// rigSeconds is the CPU time of k6 and the stub in the target's slices.
func (m measured) rigSeconds() (float64, bool) {
	k6, ok := m.load.CPUSeconds["k6"]
	stub, both := m.load.CPUSeconds["stub"]
	return k6 + stub, ok && both
}

// allSeconds is the CPU time of all that was watched in the target's slices; ok
// is false when it is not known of each.
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

// rigStreams is how many streams the rig served in the target's slices: in
// a paced scenario those of all targets. whole is false when others failed,
// which cost it something too.
func (m measured) rigStreams() (n int64, whole bool) {
	if !m.paced {
		return m.load.Streams, m.load.Failed == 0
	}
	whole = true
	for _, l := range m.summary.Loads {
		if l.Level == m.load.Level {
			n += l.Streams
			whole = whole && l.Failed == 0
		}
	}
	return n, whole
}

// ofTarget is pidstat's view of the target's processes.
func (m measured) ofTarget() []raw.Sample { return m.of(m.target.PIDs) }

// of is pidstat's view of processes.
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

// seconds is in how many seconds samples were taken.
func seconds(samples []raw.Sample) int {
	seen := map[int64]bool{}
	for _, s := range samples {
		seen[s.Time] = true
	}
	return len(seen)
}

// meanRSS is over all of the k6 run: while others have their slice, too.
func (m measured) meanRSS() (float64, bool) {
	samples := m.ofTarget()
	var sum float64
	for _, s := range samples {
		sum += float64(s.RSSBytes)
	}
	n := seconds(samples)
	return sum / float64(n), n > 0
}

// conditions are what the machine did beside the benchmark in the target's
// slices. pidstat is not watched and counts as another program: it takes less
// than 0.1 % of a core.
func (m measured) conditions() Conditions {
	c := Conditions{LoadBefore: m.facts.LoadBefore, Disturbed: []string{}}
	all := m.load.Seconds * float64(m.cores)
	if !m.loaded || all <= 0 {
		return c
	}
	if steal := m.load.MachineStealSeconds; steal != nil {
		c.StealPct = digits(100 * *steal / all)
	}
	// What a process of ours used that has ended would be taken for others'.
	if busy := m.load.MachineBusySeconds; busy != nil {
		if ours, known := m.allSeconds(); known {
			c.OthersPct = digits(100 * max(0, *busy-ours) / all)
		}
	}
	return c
}

// totals is the CPU time of each watched process over all slices, warm-up
// included; of one that ended, over the slices before.
func (l k6Run) totals() map[string]float64 {
	sum := map[string]float64{}
	for _, slice := range l.summary.Slices {
		for name, used := range slice.CPUMS {
			sum[name] += used / 1000
		}
	}
	return sum
}
