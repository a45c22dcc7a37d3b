package record

import (
	"fairstream/scripts/internal/judge/raw"
)

// measured is what one loading says of one target on one plateau.
type measured struct {
	loading
	target raw.TargetFacts
	load   raw.Load
	loaded bool      // there is a load
	direct *raw.Load // that of direct, in the same seconds; nil when there is none to compare with
	paced  bool      // targets side by side, as the record's name says
	cores  int
}

func (l loading) measured(target raw.TargetFacts, scenario, plateau string, cores int) measured {
	_, turns := Plateau(Scenario(scenario, plateau))
	m := measured{loading: l, target: target, paced: turns == "", cores: cores}
	m.load, m.loaded = l.summary.Load(target.Name, plateau)
	if d, ok := l.summary.Load(raw.Direct, plateau); ok && d.Failed == 0 && d.Streams > 0 {
		m.direct = &d
	}
	return m
}

// server says whether the target is one: direct is the stub itself.
func (m measured) server() bool { return m.target.Name != raw.Direct }

// rulerSeconds is the CPU time of k6 and the stub in the target's turns.
func (m measured) rulerSeconds() (float64, bool) {
	k6, ok := m.load.CPUSeconds["k6"]
	stub, both := m.load.CPUSeconds["stub"]
	return k6 + stub, ok && both
}

// allSeconds is the CPU time of all that was watched in the target's turns; ok
// is false when it is not known of each.
func (m measured) allSeconds() (sum float64, ok bool) {
	_, ok = m.rulerSeconds()
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

// rulerStreams is how many streams the ruler served in the target's turns: in
// a paced scenario those of all targets. whole is false when others failed,
// which cost it something too.
func (m measured) rulerStreams() (n int64, whole bool) {
	if !m.paced {
		return m.load.Streams, m.load.Failed == 0
	}
	whole = true
	for _, l := range m.summary.Loads {
		if l.Plateau == m.load.Plateau {
			n += l.Streams
			whole = whole && l.Failed == 0
		}
	}
	return n, whole
}

// ofTarget is pidstat's view of the target's processes.
func (m measured) ofTarget() []raw.Sample { return m.of(m.target.PIDs) }

// of is pidstat's view of processes.
func (l loading) of(pids []int) []raw.Sample {
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

// meanRSS is over all of the loading: while others have their turn, too.
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
// turns. pidstat is not watched and counts as another program: it takes less
// than 0.1 % of a core.
func (m measured) conditions() Conditions {
	c := Conditions{LoadBefore: m.facts.LoadBefore, Unfit: []string{}}
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

// totals is the CPU time of each watched process over all turns, warm-up
// included; of one that ended, over the turns before.
func (l loading) totals() map[string]float64 {
	sum := map[string]float64{}
	for _, turn := range l.summary.Turns {
		for name, used := range turn.CPUMS {
			sum[name] += used / 1000
		}
	}
	return sum
}
