package record

import (
	"fmt"
	"slices"

	"fairstream/scripts/internal/judge/raw"
)

// Limits of a machine and a rig that are fit to measure with.
const (
	mostPacedPct    = 80  // of the machine, that all of ours use where load is paced
	mostITLOverhead = 5.0 // ms beyond the pace, direct's itl p99 where load is paced
	mostOthersPct   = 25  // of the machine, by slices, where targets are to have all of it
	mostStealPct    = 10  // of the machine

	mostThrottledPct = 1 // of the machine, over a k6 run
)

// disturbed lists the reasons why the machine or the rig disturbed the record.
func (m measured) disturbed() []string {
	why := m.ofDirect()
	c := m.conditions()
	if m.paced {
		used, _ := m.allSeconds() // too little when a process is unknown, which is a warning of its own
		if pct := 100 * used / m.load.Seconds / float64(m.cores); pct > mostPacedPct {
			why = append(why, fmt.Sprintf("the targets, k6 and the stub used %.0f %% of the machine; want at most %d %% where load is paced", pct, mostPacedPct))
		}
	} else if others := c.OthersPct; others != nil && *others > mostOthersPct {
		why = append(why, fmt.Sprintf("other programs used %.0f %% of the machine, which the target was to have to itself; want at most %d %%", *others, mostOthersPct))
	}
	if steal := c.StealPct; steal != nil && *steal > mostStealPct {
		why = append(why, fmt.Sprintf("the host of the virtual machine kept %.0f %% of it for others; want at most %d %%", *steal, mostStealPct))
	}
	if stopped := m.facts.ThrottledSeconds; stopped != nil {
		if pct := 100 * *stopped / m.facts.Seconds / float64(m.cores); pct > mostThrottledPct {
			why = append(why, fmt.Sprintf("a CPU quota stopped the targets, k6 and the stub for %.0f %% of the machine's time; want at most %d %%: scripts/bench doctor names it", pct, mostThrottledPct))
		}
	}
	if m.facts.Pidstat != "" {
		why = append(why, m.facts.Pidstat)
	}
	// k6 is not held to its clock: it works before the first slice and after the
	// last, where its clock is not read.
	return append(why, m.sampled("stub", []int{m.facts.StubPID})...)
}

// ofDirect says what went wrong with direct on the record's level: there is
// no server in it.
func (m measured) ofDirect() []string {
	if !slices.ContainsFunc(m.facts.Targets, func(t raw.TargetFacts) bool { return t.Name == raw.Direct }) {
		return nil // a server that is loaded alone
	}
	d, ok := m.summary.Load(raw.Direct, m.load.Level)
	switch {
	case !ok || d.Streams+d.Failed == 0:
		return []string{"direct had no turn on this level"}
	case d.Failed > 0:
		return []string{fmt.Sprintf("direct, without a server between: %d of %d streams failed", d.Failed, d.Failed+d.Streams)}
	case d.Slices < m.load.Slices:
		return []string{fmt.Sprintf("direct had %d slices, the target %d", d.Slices, m.load.Slices)}
	case m.paced && d.Itl != nil && d.Itl.P99-d.Itl.P50 > mostITLOverhead:
		return []string{fmt.Sprintf("k6 or the stub was held up: without a server between, 1 of 100 itls was over %.1f ms where the pace is %.1f; want at most %g ms more", d.Itl.P99, d.Itl.P50, mostITLOverhead)}
	case !m.paced && d.Overruns > 0: // side by side it may be a server that the slice waited for
		return []string{fmt.Sprintf("direct, without a server between: %d of %d slices lasted more than 1.5 times as long as planned", d.Overruns, d.Slices)}
	}
	return nil
}
