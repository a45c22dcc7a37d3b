package record

import (
	"fmt"
	"math"
	"strings"

	"fairstream/scripts/load"
	"fairstream/scripts/sample"
)

// check decides the status of a record: invalid when there is nothing to
// measure or the numbers contradict each other, suspect when something casts
// doubt on them.
func check(m measured) (Status, []string) {
	if m.target.Error != "" {
		return Invalid, []string{m.target.Error}
	}
	if why := m.contradictions(); len(why) > 0 {
		return Invalid, why
	}
	if why := m.doubts(); len(why) > 0 {
		return Suspect, why
	}
	return OK, []string{}
}

func (m measured) contradictions() (why []string) {
	l := m.load
	if !m.loaded || l.Streams == 0 && l.Failed == 0 {
		return []string{"it had no turn: " + m.unloaded()}
	}
	if l.Streams == 0 {
		return []string{fmt.Sprintf("no stream came whole, %d failed%s", l.Failed, m.broken(l))}
	}
	if s := l.Stream; !(s.P50 <= s.P95 && s.P95 <= s.P99 && s.P99 <= s.Max && s.Mean <= s.Max) {
		why = append(why, fmt.Sprintf("latencies are not in order: p50 %g, p95 %g, p99 %g, max %g, mean %g ms", s.P50, s.P95, s.P99, s.Max, s.Mean))
	}
	// Little's law. A VU has one stream at a time.
	if flight := float64(l.Streams) * l.Stream.Mean / 1000 / l.Seconds; flight > 1.02*float64(l.VUs) {
		why = append(why, fmt.Sprintf("rate x mean latency = %.1f streams in flight, but there were %d VUs", flight, l.VUs))
	}
	// A stream is open longer at k6 than at the stub.
	if k6, stub := m.openSeconds(), m.facts.StubStreamSeconds; m.allFailed() == 0 && k6 < 0.98*stub {
		why = append(why, fmt.Sprintf("streams were open for %.1f s at k6, all targets together, and for %.1f s at the stub; k6 lost some", k6, stub))
	}
	return why
}

// unloaded says why a target had no turn.
func (m measured) unloaded() string {
	if why := m.summary.GivenUp[m.target.Name]; why != "" {
		return why
	}
	return fmt.Sprintf("k6 ended after %d of %d turns", len(m.summary.Turns), m.summary.Planned)
}

// openSeconds is how long streams were open at k6, of all targets together.
func (l loading) openSeconds() (sum float64) {
	for _, of := range l.summary.Loads {
		sum += float64(of.Counts.Stream.SumUS) / 1e6
	}
	return sum
}

// allFailed and allStreams count over all targets, warm-up included.
func (l loading) allFailed() (n int64) {
	for _, of := range l.summary.Loads {
		n += of.Failed
	}
	return n
}

func (l loading) allStreams() (n int64) {
	for _, of := range l.summary.Loads {
		n += of.Streams
	}
	return n
}

// Limits of what casts no doubt.
const (
	mostOutside     = 0.1 // of a VU's time with a stream, outside the stream
	mostPacedPct    = 80  // of the machine, in a paced scenario
	mostGapAdded    = 5.0 // ms beyond the pace, direct's gap p99 in a paced scenario
	leastSharePct   = 15  // the server's, of all CPU time, by turns
	mostOthersPct   = 25  // of the machine, by turns, where targets are to have all of it
	mostClockApart  = 0.05
	mostClockSlackS = 0.05 // ticks of 10 ms, and the window's edges
)

func (m measured) doubts() (why []string) {
	l := m.load
	why = append(why, m.target.Doubts...)
	if l.Failed > 0 {
		why = append(why, fmt.Sprintf("%d of %d streams failed%s", l.Failed, l.Failed+l.Streams, m.broken(l)))
	} else if m.allFailed() == 0 && m.facts.StubStreams != m.allStreams() {
		why = append(why, fmt.Sprintf("k6 counted %d streams of all targets, the stub %d", m.allStreams(), m.facts.StubStreams))
	}
	if gone := m.summary.GivenUp[m.target.Name]; gone != "" {
		why = append(why, "given up: "+gone)
	} else if n := len(m.summary.Turns); n < m.summary.Planned {
		why = append(why, fmt.Sprintf("k6 ended after %d of %d turns", n, m.summary.Planned))
	}
	if w, ok := m.summary.Load(m.target.Name, load.WarmUp); ok && w.Failed > 0 {
		why = append(why, fmt.Sprintf("warm-up: %d of %d streams failed", w.Failed, w.Failed+w.Streams))
	}
	if l.Overruns > 0 {
		why = append(why, fmt.Sprintf("%d of %d turns lasted more than 1.5 times as long as planned until their last stream ended", l.Overruns, l.Turns))
	}
	if _, known := l.CPUSeconds[m.target.Name]; m.server() && !known {
		why = append(why, "a process of the server ended under load; its CPU time is not known")
	}
	why = append(why, m.ruler()...)
	return append(why, m.sampled()...)
}

// ruler says how k6 and the stub were at their limit.
func (m measured) ruler() (why []string) {
	l := m.load
	// What a VU does beyond its streams: one that waits for a core or a
	// connection does not offer the load that the scenario names.
	if own := 1 - float64(l.Streams)*l.Stream.Mean/1000/l.BusySeconds; l.Failed == 0 && own > mostOutside {
		why = append(why, fmt.Sprintf("k6 spent %.0f %% of its VUs' time outside the streams, connecting or waiting for a core; want at most %.0f %%", 100*own, 100*mostOutside))
	}
	if !m.paced {
		used, known := l.CPUSeconds[m.target.Name]
		if ruler, ok := m.rulerSeconds(); known && ok && 100*used < leastSharePct*(used+ruler) {
			why = append(why, fmt.Sprintf("the server had %.0f %% of the CPU time, k6 and the stub the rest; want at least %d %%", 100*used/(used+ruler), leastSharePct))
		}
		if others := m.conditions(m.cores).OthersPct; others != nil && *others > mostOthersPct {
			why = append(why, fmt.Sprintf("other programs used %.0f %% of the machine, which the target was to have to itself; want at most %d %%", *others, mostOthersPct))
		}
		return why
	}
	used, _ := m.allSeconds() // too little when a process is unknown, which is a doubt of its own
	if pct := 100 * used / l.Seconds / float64(m.cores); pct > mostPacedPct {
		why = append(why, fmt.Sprintf("the targets, k6 and the stub used %.0f %% of the machine; want at most %d %% where load is paced", pct, mostPacedPct))
	}
	if d := m.direct; d != nil && d.Gap.P99-d.Gap.P50 > mostGapAdded {
		why = append(why, fmt.Sprintf("k6 or the stub was held up: without a server between, 1 of 100 gaps was over %.1f ms where the pace is %.1f; want at most %g ms more", d.Gap.P99, d.Gap.P50, mostGapAdded))
	}
	return why
}

// sampled holds pidstat to the process clocks, over the whole scenario.
func (m measured) sampled() (why []string) {
	clocks := m.totals()
	for _, of := range []struct {
		name string
		pids []int
	}{{m.target.Name, m.target.PIDs}, {"stub", []int{m.facts.StubPID}}} {
		if len(of.pids) == 0 {
			continue // direct
		}
		name, samples := of.name, m.of(of.pids)
		took := m.tookSeconds()
		if want := 0.9 * math.Floor(took); float64(seconds(samples)) < want {
			why = append(why, fmt.Sprintf("pidstat sampled %s in %d seconds of %.0f", name, seconds(samples), took))
			continue
		}
		clock, pidstat := clocks[name], cpuSeconds(samples)
		if math.Abs(clock-pidstat) > mostClockApart*clock+mostClockSlackS {
			why = append(why, fmt.Sprintf("CPU time of %s: %.2f s by its clock, %.2f s by pidstat; want a difference of at most 5 %%", name, clock, pidstat))
		}
	}
	return why
}

// tookSeconds is how long all turns of a loading took.
func (l loading) tookSeconds() (sum float64) {
	for _, turn := range l.summary.Turns {
		sum += turn.TookMS / 1000
	}
	return sum
}

// broken says what was wrong with streams, and where to look.
func (m measured) broken(l load.Load) string {
	if len(l.Broken) == 0 {
		return ""
	}
	return ": " + strings.Join(l.Broken, ", ") + "; " + m.target.Name + ".log beside the raw files may say why"
}

// cpuSeconds is the CPU time in samples of one second each.
func cpuSeconds(samples []sample.Sample) (sum float64) {
	for _, s := range samples {
		sum += s.CPUPct / 100
	}
	return sum
}
