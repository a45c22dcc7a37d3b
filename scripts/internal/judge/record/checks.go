package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/files/logs"
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
	if !m.loaded || l.Streams == 0 && l.Failed == 0 {
		if gone := m.summary.GivenUp[m.target.Name]; gone != "" {
			return []string{"it had no slice: " + gone}, nil
		}
		return nil, []string{fmt.Sprintf("it had no slice: k6 ended after %d of %d slices", len(m.summary.Slices), m.summary.Planned)}
	}
	if l.Streams == 0 {
		return []string{fmt.Sprintf("all %d streams failed%s", l.Failed, m.broken(l))}, nil
	}
	if s := l.Stream; !(s.P50 <= s.P95 && s.P95 <= s.P99 && s.P99 <= s.Max && s.Mean <= s.Max) {
		disturbed = append(disturbed, fmt.Sprintf("latencies are not in order: p50 %g, p95 %g, p99 %g, max %g, mean %g ms", s.P50, s.P95, s.P99, s.Max, s.Mean))
	}
	// Little's law. A VU has one stream at a time.
	if flight := float64(l.Streams) * l.Stream.Mean / 1000 / l.Seconds; flight > 1.02*float64(l.VUs) {
		disturbed = append(disturbed, fmt.Sprintf("rate x mean latency = %.1f streams in flight, but there were %d VUs", flight, l.VUs))
	}
	// Streams are open longer at k6 than at the stub, unless a server asks the stub twice.
	if k6, stub := m.openSeconds(), m.facts.StubStreamSeconds; m.allFailed() == 0 && k6 < 0.98*stub {
		own = append(own, fmt.Sprintf("streams were open for %.1f s at k6, all targets together, and for %.1f s at the stub; k6 lost some", k6, stub))
	}
	return own, disturbed
}

// openSeconds sums the time of open streams at k6, over all targets.
func (l k6Run) openSeconds() (sum float64) {
	for _, of := range l.summary.Loads {
		sum += float64(of.Counts.Stream.SumUS) / 1e6
	}
	return sum
}

// failedOf counts the failed streams of a target, with the warm-up.
func (l k6Run) failedOf(target string) (n int64) {
	for _, load := range l.summary.Loads {
		if load.Target == target {
			n += load.Failed
		}
	}
	return n
}

// allFailed and allStreams count streams of all targets, with the warm-up.
func (l k6Run) allFailed() (n int64) {
	for _, of := range l.summary.Loads {
		n += of.Failed
	}
	return n
}

func (l k6Run) allStreams() (n int64) {
	for _, of := range l.summary.Loads {
		n += of.Streams
	}
	return n
}

// broken lists the faults of streams, and quotes the server's log.
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
	switch lines, err := logs.Quote(path, 0, mostLines); {
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
