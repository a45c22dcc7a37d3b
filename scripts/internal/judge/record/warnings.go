package record

import (
	"fmt"
	"math"
	"time"

	"fairstream/scripts/internal/judge/raw"
)

// Limits beyond which a record has a warning.
const (
	mostOutside   = 0.1 // of a VU's time that k6 spends outside streams
	leastSharePct = 15  // of the CPU time in slices that the server has
)

// warnings returns two lists: reasons that may be the server's fault, and reasons that are the machine's or
// the rig's. After the latter the record says nothing about the server.
func (m measured) warnings() (own, disturbed []string) {
	own = append(own, m.target.Warnings...)
	if m.server() { // a fault of direct disturbs all records
		own = append(own, m.failures()...)
	}
	if gone := m.summary.GivenUp[m.target.Name]; gone != "" {
		own = append(own, "given up: "+gone)
	}
	if w, ok := m.summary.Load(m.target.Name, raw.WarmUp); ok && w.Failed > 0 {
		own = append(own, fmt.Sprintf("warm-up: %d of %d streams failed%s", w.Failed, w.Failed+w.Streams, m.broken(w)))
	}
	if m.allFailed() == 0 && m.facts.StubStreams != m.allStreams() {
		own = append(own, fmt.Sprintf("k6 counted %d streams of all targets, the stub %d", m.allStreams(), m.facts.StubStreams))
	}
	if a, known := m.account(m.target.Name); known && !a.Even() && m.failedOf(m.target.Name) == 0 { // a failed stream may have lost tokens
		own = append(own, fmt.Sprintf("the stub wrote %d tokens for it, k6 received %d: %s", a.Sent, a.Received, a.difference()))
	}
	used, known := m.load.CPUSeconds[m.target.Name]
	if m.server() && !known {
		own = append(own, "a process of the server ended under load; its CPU time is not known")
	}
	if rig, ok := m.rigSeconds(); !m.paced && known && ok && 100*used < leastSharePct*(used+rig) {
		own = append(own, fmt.Sprintf("the server had %.0f %% of the CPU time, k6 and the stub the rest; want at least %d %%", 100*used/(used+rig), leastSharePct))
	}
	own = append(own, m.sampled(m.target.Name, m.target.PIDs)...)
	disturbed = m.disturbed()
	if n := len(m.summary.Slices); n < m.summary.Planned {
		disturbed = append(disturbed, fmt.Sprintf("k6 ended after %d of %d slices", n, m.summary.Planned))
	}
	// A VU that waits for a core or a connection offers less load than the scenario asks for. When a server
	// closes connections, that is its own fault.
	if out := outside(m.load); out > mostOutside {
		why := fmt.Sprintf("k6 spent %.0f %% of its VUs' time outside the streams, connecting or waiting for a core; want at most %.0f %%", 100*out, 100*mostOutside)
		if of, ok := m.summary.Load(raw.Direct, m.load.Level); ok && outside(of) > mostOutside {
			disturbed = append(disturbed, why)
		} else {
			own = append(own, why)
		}
	}
	return own, disturbed
}

// failures reports failed and late streams of the target.
func (m measured) failures() (why []string) {
	l := m.load
	if l.Failed > 0 {
		why = append(why, fmt.Sprintf("%d of %d streams failed%s", l.Failed, l.Failed+l.Streams, m.broken(l)))
	}
	if l.Overruns > 0 {
		text := fmt.Sprintf("%d of %d slices lasted more than 1.5 times as long as planned until their last stream ended", l.Overruns, l.Slices)
		if l.Stream != nil && l.Stream.P95 > MostStreamMS {
			text += fmt.Sprintf("; its streams take %.0f ms, so want slices of %g s (scripts/bench run -slice)", l.Stream.P95, SuitedSlice(l.Stream.P95).Seconds())
		}
		why = append(why, text)
	}
	return why
}

// MostStreamMS is how long a stream may take at a saturating level of a comparison: a quarter of its slice.
const MostStreamMS = 100

const longestSlice = 20 * time.Second // a stream's timeout

// SuitedSlice is four times as long as a stream. A slice ends with its last stream, so streams must be short beside it.
func SuitedSlice(streamMS float64) time.Duration {
	return min(longestSlice, time.Duration(math.Ceil(4*streamMS/100))*100*time.Millisecond)
}

// outside is the part of the VUs' time that k6 spends outside streams. It is 0 when streams failed, since
// their time is unknown.
func outside(l raw.Load) float64 {
	if l.Failed > 0 || l.Stream == nil {
		return 0
	}
	return 1 - float64(l.Streams)*l.Stream.Mean/1000/l.BusySeconds
}
