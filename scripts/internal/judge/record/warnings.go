package record

import (
	"fmt"
	"math"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/raw"
)

// Limits beyond which a record has a warning.
const (
	mostOutside   = 0.1 // of a VU's time that k6 spends outside requests
	leastSharePct = 15  // of the CPU time in slices that the server has
	mostUnsentPct = 1   // of the requests that were due at a fixed arrival rate
	mostOverrun   = 1.5 // of the planned time of slices
	// Throughput that is too high does not matter in a comparison, since it is for base and head alike.
	mostComparedOverrun = 3
)

// warnings returns two lists: reasons that may be the server's fault, and reasons that are the machine's or
// the rig's. After the latter the record says nothing about the server.
func (m measured) warnings() (own, disturbed []string) {
	own = append(own, m.target.Warnings...)
	if m.server() { // a fault of direct disturbs all records
		own = append(own, m.failures()...)
	}
	if gone := m.summary.GivenUp[m.target.Name]; gone != "" && m.server() {
		own = append(own, "given up: "+gone)
	}
	for _, l := range m.summary.Loads {
		if l.Target != m.target.Name || l.Failed == 0 {
			continue
		}
		if l.Level == raw.WarmUp {
			own = append(own, "warm-up: "+m.failed(l))
		} else if l.Discarded && l.Level == m.load.Level { // others in the machine break no answer
			own = append(own, "discarded cycles: "+m.failed(l))
		}
	}
	if why := m.unaccounted(); why != "" {
		own = append(own, why)
	}
	// A run asks the stub several times, so its answers have no such count.
	if !m.workload.Database && m.allFailed() == 0 && m.facts.StubStreams != m.allRequests() {
		own = append(own, fmt.Sprintf("k6 counted %d %s of %s, the stub %d", m.allRequests(), m.units(), strings.TrimSuffix(m.stubbed(), " together"), m.facts.StubStreams))
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
		why := fmt.Sprintf("k6 spent %.0f %% of its VUs' time outside the %s, connecting or waiting for a core; want at most %.0f %%", 100*out, m.units(), 100*mostOutside)
		if of, ok := m.summary.Load(raw.Direct, m.load.Level); ok && outside(of) > mostOutside {
			disturbed = append(disturbed, why)
		} else {
			own = append(own, why)
		}
	}
	return own, disturbed
}

// failed says how many requests of a load failed, and why.
func (m measured) failed(l raw.Load) string {
	return fmt.Sprintf("%d of %d %s failed%s", l.Failed, l.Failed+l.Requests, m.units(), m.broken(l))
}

// failures reports failed, late and unsent requests of the target.
func (m measured) failures() (why []string) {
	l := m.load
	if l.Failed > 0 {
		why = append(why, m.failed(l))
	}
	most := mostOverrun
	if m.compared() {
		most = mostComparedOverrun
	}
	if l.Overrun() > most {
		text := fmt.Sprintf("slices lasted %.1f times as long as planned until their last %s ended", l.Overrun(), m.workload.Unit)
		if !m.paced {
			text += ", so throughput is too high"
		}
		text += fmt.Sprintf("; want at most %g times", most)
		if l.Request != nil && l.Request.P95 > MostRequestMS && !m.compared() { // a comparison chooses its slices itself
			text += fmt.Sprintf("; its %s take %.0f ms, so want slices of %g s (scripts/bench run -slice)", m.units(), l.Request.P95, SuitedSlice(l.Request.P95).Seconds())
		}
		why = append(why, text)
	}
	if pct, ok := unsent(m); ok && pct > mostUnsentPct {
		free := "connection"
		if m.workload.Scripted {
			free = "VU; give the script more of them, or a lower rate"
		}
		why = append(why, fmt.Sprintf("the server did not keep up with the rate: %.1f %% of the %s that were due found no free %s; want at most %d %%", pct, m.units(), free, mostUnsentPct))
	}
	return why
}

// MostRequestMS is how long a request, or a stream, may take at a saturating level of a comparison: twice as long as the
// shortest slices.
const MostRequestMS = 200

const longestSlice = 20 * time.Second // a request's timeout

// SuitedSlice is four times as long as a request. A slice ends with its last one, so requests must be short beside it.
func SuitedSlice(requestMS float64) time.Duration {
	return min(longestSlice, time.Duration(math.Ceil(4*requestMS/100))*100*time.Millisecond)
}

// outside is the part of the VUs' time that k6 spends outside requests. It is 0 when requests failed, since
// their time is unknown. At a fixed arrival rate it is 0 too, since VUs have pauses.
func outside(l raw.Load) float64 {
	if l.Failed > 0 || l.Open() || l.Request == nil {
		return 0
	}
	return 1 - float64(l.Requests)*l.Request.Mean/1000/l.BusySeconds
}
