package record

import (
	"fmt"
	"slices"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
)

// Limits of a machine and a rig in good order. Package hist has those of other programs and of the host, since k6
// loads a cycle again by the same.
const (
	mostPacedPct = 80 // of the machine; all our processes under paced load
	// MostRigDelayMS is how much p99 of direct's ITL may exceed its pace under paced load, or p99 of the time from
	// the intended start of its requests.
	MostRigDelayMS = 5.0

	mostThrottledPct = 1 // of the machine over a k6 run; CPU quotas
)

// compared reports whether the record belongs to a comparison. There base and head share the noise of other programs
// and of the host, and the verdict decides about delays of the rig.
func (m measured) compared() bool {
	return slices.ContainsFunc(m.facts.Targets, func(t raw.TargetFacts) bool { return raw.Compared(t.Name) })
}

// RigDelayMS is how late the rig was for direct under paced load: p99 of the ITL less its pace, or p99 of the time from
// the intended start of its requests.
func (r Record) RigDelayMS() (ms float64, known bool) {
	if late, known := r.Metrics.Get("late_p99_ms"); known {
		return late, true
	}
	p50, known := r.Metrics.Get("itl_p50_ms")
	p99, also := r.Metrics.Get("itl_p99_ms")
	return p99 - p50, known && also
}

// disturbed lists the reasons why the machine or the rig disturbed the record.
func (m measured) disturbed() []string {
	why := m.ofDirect()
	c := m.conditions()
	if m.paced {
		used, _ := m.allSeconds() // too low when a process is unknown, which is a warning of its own
		if pct := 100 * used / m.load.Seconds / float64(m.cores); pct > mostPacedPct {
			why = append(why, fmt.Sprintf("the targets, k6 and the stub used %.0f %% of the machine; want at most %d %% where load is paced", pct, mostPacedPct))
		}
	} else if others := c.OthersPct; !m.compared() && others != nil && *others > hist.MostOthersPct {
		why = append(why, fmt.Sprintf("other programs used %.0f %% of the machine in the target's slices; want at most %d %%", *others, hist.MostOthersPct))
	}
	if steal := c.StealPct; !m.compared() && steal != nil && *steal > hist.MostStealPct {
		why = append(why, fmt.Sprintf("the host of the virtual machine took %.0f %% of the CPU (steal); want at most %d %%", *steal, hist.MostStealPct))
	}
	if stopped := m.facts.ThrottledSeconds; stopped != nil {
		if pct := 100 * *stopped / m.facts.Seconds / float64(m.cores); pct > mostThrottledPct {
			why = append(why, fmt.Sprintf("a CPU quota stopped the targets, k6 and the stub for %.0f %% of the machine's time; want at most %d %%: scripts/bench doctor names it", pct, mostThrottledPct))
		}
	}
	if m.facts.Pidstat != "" {
		why = append(why, m.facts.Pidstat)
	}
	// sampled does not check k6, which works before the first slice and after the last one, where nothing
	// reads its clock.
	if m.facts.StubPID == 0 { // it ran on another machine, where nothing samples it
		return why
	}
	return append(why, m.sampled("stub", []int{m.facts.StubPID})...)
}

// ofDirect lists the faults of direct on the record's level, since no server can cause them.
func (m measured) ofDirect() []string {
	if !slices.ContainsFunc(m.facts.Targets, func(t raw.TargetFacts) bool { return t.Name == raw.Direct }) {
		return nil // a solo run has no direct
	}
	d, ok := m.summary.Load(raw.Direct, m.load.Level)
	switch {
	case !ok || d.Requests+d.Failed == 0:
		return []string{"direct had no slice on this level"}
	case d.Failed > 0:
		return []string{fmt.Sprintf("direct: %d of %d %s failed", d.Failed, d.Failed+d.Requests, m.units())}
	case m.summary.GivenUp[raw.Direct] != "":
		return []string{"direct was given up: " + m.summary.GivenUp[raw.Direct]}
	case m.paced && !m.compared() && d.Itl != nil && d.Itl.P99-d.Itl.P50 > MostRigDelayMS:
		return []string{fmt.Sprintf("k6 or the stub was delayed: direct's ITL p99 was %.1f ms at a pace of %.1f ms; want at most %g ms over the pace", d.Itl.P99, d.Itl.P50, MostRigDelayMS)}
	case m.paced && !m.compared() && d.Late != nil && d.Late.P99 > MostRigDelayMS:
		return []string{fmt.Sprintf("k6 or the stub was delayed: direct's requests left %.1f ms after their intended start (p99); want at most %g ms", d.Late.P99, MostRigDelayMS)}
	case !m.paced && d.Overrun() > mostOverrun: // side by side the slice may have waited for a server
		return []string{fmt.Sprintf("direct: slices lasted %.1f times as long as planned; want at most %g times", d.Overrun(), mostOverrun)}
	}
	return nil
}
