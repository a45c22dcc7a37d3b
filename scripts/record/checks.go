package record

import (
	"fmt"
	"math"
	"strings"

	"fairstream/scripts/load"
	"fairstream/scripts/sample"
)

// check decides the status of a record: invalid when the numbers contradict
// each other, suspect when something casts doubt on them.
func check(m measured) (Status, []string) {
	if why := m.contradictions(); len(why) > 0 {
		return Invalid, why
	}
	if why := m.doubts(); len(why) > 0 {
		return Suspect, why
	}
	return OK, []string{}
}

func (m measured) contradictions() (why []string) {
	s := m.summary
	if s.Streams == 0 {
		return []string{fmt.Sprintf("no stream came whole, %d failed%s", s.Failed, broken(s))}
	}
	if l := s.Stream; !(l.P50 <= l.P95 && l.P95 <= l.P99 && l.P99 <= l.Max && l.Mean <= l.Max) {
		why = append(why, fmt.Sprintf("latencies are not in order: p50 %g, p95 %g, p99 %g, max %g, mean %g ms", l.P50, l.P95, l.P99, l.Max, l.Mean))
	}
	// Little's law. A stream is open longer at k6 than at the stub, and a VU
	// has one at a time, so k6's count lies between the two.
	if flight := m.little(); s.VUs > 0 && flight > 1.02*float64(s.VUs) {
		why = append(why, fmt.Sprintf("rate x mean latency = %.1f streams in flight, but there were %d VUs", flight, s.VUs))
	} else if stub := m.facts.StubStreamSeconds / s.Seconds; s.Failed == 0 && flight < 0.98*stub {
		why = append(why, fmt.Sprintf("rate x mean latency = %.1f streams in flight, but the stub had %.1f open; k6 lost some", flight, stub))
	}
	return why
}

func (m measured) doubts() (why []string) {
	s := m.summary
	why = append(why, m.facts.Doubts...)
	if s.Failed > 0 {
		why = append(why, fmt.Sprintf("%d of %d streams failed%s", s.Failed, s.Failed+s.Streams, broken(s)))
	} else if m.facts.StubStreams != s.Streams {
		why = append(why, fmt.Sprintf("k6 counted %d streams, the stub %d", s.Streams, m.facts.StubStreams))
	}
	if w := m.warmUp; w.Failed > 0 {
		why = append(why, fmt.Sprintf("warm-up: %d of %d streams failed", w.Failed, w.Failed+w.Streams))
	}
	// What an iteration takes beyond its stream: a VU that waits for a core or
	// a connection does not offer the load that the scenario names.
	if own := 1 - s.Stream.Mean/s.Iteration; s.Failed == 0 && own > 0.1 {
		why = append(why, fmt.Sprintf("k6 spent %.0f %% of each iteration outside the stream, connecting or waiting for a core; want at most 10 %%", 100*own))
	}
	for _, role := range []string{"server", "stub"} {
		samples := m.of(role)
		if want := 0.9 * math.Floor(s.Seconds); float64(len(samples)) < want*float64(max(1, len(m.facts.PIDs[role]))) {
			why = append(why, fmt.Sprintf("pidstat sampled the %s in %d seconds of %.0f", role, len(samples), s.Seconds))
			continue
		}
		// Ticks of 10 ms and the window's edges are allowed for.
		clock, pidstat := m.facts.CPUSeconds[role], cpuSeconds(samples)
		if math.Abs(clock-pidstat) > 0.05*clock+0.05 {
			why = append(why, fmt.Sprintf("CPU time of the %s: %.2f s by its clock, %.2f s by pidstat; want a difference of at most 5 %%", role, clock, pidstat))
		}
	}
	return why
}

// broken says what was wrong with streams, and where to look.
func broken(s load.Summary) string {
	if len(s.Broken) == 0 {
		return ""
	}
	return ": " + strings.Join(s.Broken, ", ") + "; server.log beside the raw files may say why"
}

// cpuSeconds is the CPU time in samples of one second each.
func cpuSeconds(samples []sample.Sample) (sum float64) {
	for _, s := range samples {
		sum += s.CPUPct / 100
	}
	return sum
}
