package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/raw"
)

// check decides the status of a record. It is invalid without figures or with contradictory figures, and has
// a warning when figures may be wrong. disturbed has the reasons that are not the server's fault.
func check(m measured) (status Status, why, disturbed []string) {
	if why := m.target.Error; why != "" && m.target.Disturbed {
		return Invalid, []string{why}, []string{why}
	} else if why != "" {
		return Invalid, []string{why}, []string{}
	}
	switch own, disturbed := m.contradictions(); {
	case len(own) > 0:
		return Invalid, append(own, disturbed...), []string{}
	case len(disturbed) > 0:
		return Invalid, disturbed, slices.Clone(disturbed)
	}
	own, disturbed := m.warnings()
	if len(own)+len(disturbed) > 0 {
		return Warning, append(own, disturbed...), append([]string{}, disturbed...)
	}
	return OK, []string{}, []string{}
}

// contradictions returns two lists, as warnings does. No server can cause a reason in disturbed: k6 failed to
// do its work, or counted something impossible.
func (m measured) contradictions() (own, disturbed []string) {
	l := m.load
	if !m.loaded || l.Requests == 0 && l.Failed == 0 {
		if gone := m.summary.GivenUp[m.target.Name]; gone != "" {
			return []string{"it had no slice: " + gone}, nil
		}
		return nil, []string{fmt.Sprintf("it had no slice: k6 ended after %d of %d slices", len(m.summary.Slices), m.summary.Planned)}
	}
	if l.Requests == 0 {
		return []string{fmt.Sprintf("all %d %s failed%s", l.Failed, m.units(), m.broken(l))}, nil
	}
	if s := l.Request; !(s.P50 <= s.P95 && s.P95 <= s.P99 && s.P99 <= s.Max && s.Mean <= s.Max) {
		disturbed = append(disturbed, fmt.Sprintf("latencies are not in order: p50 %g, p95 %g, p99 %g, max %g, mean %g ms", s.P50, s.P95, s.P99, s.Max, s.Mean))
	}
	// Little's law. A VU has one request at a time. At a fixed arrival rate a request also waits for a VU.
	if flight := float64(l.Requests) * l.Request.Mean / 1000 / l.Seconds; !l.Open() && flight > 1.02*float64(l.VUs) {
		disturbed = append(disturbed, fmt.Sprintf("rate x mean latency = %.1f %s in flight, but there were %d VUs", flight, m.units(), l.VUs))
	}
	// Requests are open longer at k6 than at the stub, unless a server asks the stub twice.
	if k6, stub := m.openSeconds(), m.facts.StubStreamSeconds; !m.workload.Database && m.allFailed() == 0 && k6 < 0.98*stub {
		own = append(own, fmt.Sprintf("%s were open for %.1f s at k6, %s, and for %.1f s at the stub; k6 lost some", m.units(), k6, m.stubbed(), stub))
	}
	return own, disturbed
}

// units is the plural of the workload's unit.
func (l k6Run) units() string { return l.workload.Unit + "s" }

// reachesStub reports whether the stub sees the requests to a target. Servers without an upstream answer on
// their own.
func (l k6Run) reachesStub(target string) bool { return l.workload.Upstream || target == raw.Direct }

// stubbed names the targets that reach the stub.
func (l k6Run) stubbed() string {
	if l.workload.Upstream {
		return "all targets together"
	}
	return raw.Direct + " alone"
}

// openSeconds sums the time of open requests at k6, over all targets that reach the stub.
func (l k6Run) openSeconds() (sum float64) {
	for _, of := range l.summary.Loads {
		if !l.reachesStub(of.Target) {
			continue
		}
		sum += float64(of.Counts.Request.SumUS) / 1e6
	}
	return sum
}

// failedOf counts the failed requests of a target, with the warm-up.
func (l k6Run) failedOf(target string) (n int64) {
	for _, load := range l.summary.Loads {
		if load.Target == target {
			n += load.Failed
		}
	}
	return n
}

// requestsOf counts all requests of a target, with the warm-up.
func (l k6Run) requestsOf(target string) (n int64) {
	for _, load := range l.summary.Loads {
		if load.Target == target {
			n += load.Requests + load.Failed
		}
	}
	return n
}

// unaccounted says how the rows that a load left differ from the messages that the server announced as stored; "" if they do
// not. After a failed request a row may have no announcement that k6 saw.
func (m measured) unaccounted() string {
	rows, known := m.rows(m.target)
	if !known || rows.Even() || rows.Left > rows.Announced && m.failedOf(m.target.Name) > 0 {
		return ""
	}
	return fmt.Sprintf("the server announced %d messages as stored, and its database has %d more than before", rows.Announced, rows.Left)
}

// allFailed and allRequests count requests of all targets that reach the stub, with the warm-up.
func (l k6Run) allFailed() (n int64) {
	for _, of := range l.summary.Loads {
		if l.reachesStub(of.Target) {
			n += of.Failed
		}
	}
	return n
}

func (l k6Run) allRequests() (n int64) {
	for _, of := range l.summary.Loads {
		if l.reachesStub(of.Target) {
			n += of.Requests
		}
	}
	return n
}

// broken lists the faults of requests, and quotes the server's log.
func (m measured) broken(l raw.Load) string {
	if len(l.Broken) == 0 {
		return ""
	}
	return ": " + strings.Join(l.Broken, ", ") + m.log()
}

// mostLines limits the lines of a server's log in a record.
const mostLines = 3

// log quotes the server's log, and names it by its path in the directory of raw files.
func (m measured) log() string {
	if m.logs == "" {
		return ""
	}
	path := filepath.Join(m.logs, m.target.Name+".log")
	name := filepath.Join(strconv.Itoa(m.facts.Round), filepath.Base(m.logs), filepath.Base(path))
	switch lines, err := files.QuoteLog(path, 0, mostLines); {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return fmt.Sprintf("; its log %s cannot be read: %v", name, err)
	case len(lines) == 0:
		return fmt.Sprintf("; its log %s is empty", name)
	default:
		return fmt.Sprintf("; its log %s says:\n    %s", name, strings.Join(lines, "\n    "))
	}
}
