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

// check decides the status of a record: invalid when there is nothing to
// measure or the numbers contradict each other, with a warning when something casts
// warning on them. disturbed are those of the reasons that are not the server's.
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

// contradictions are in two lists as warnings are: disturbed is what no server can bring
// about, since k6 did not do what it was to do, or counted what cannot be.
func (m measured) contradictions() (own, disturbed []string) {
	l := m.load
	if !m.loaded || l.Streams == 0 && l.Failed == 0 {
		if gone := m.summary.GivenUp[m.target.Name]; gone != "" {
			return []string{"it had no slice: " + gone}, nil
		}
		return nil, []string{fmt.Sprintf("it had no slice: k6 ended after %d of %d slices", len(m.summary.Slices), m.summary.Planned)}
	}
	if l.Streams == 0 {
		return []string{fmt.Sprintf("no stream came whole, %d failed%s", l.Failed, m.broken(l))}, nil
	}
	if s := l.Stream; !(s.P50 <= s.P95 && s.P95 <= s.P99 && s.P99 <= s.Max && s.Mean <= s.Max) {
		disturbed = append(disturbed, fmt.Sprintf("latencies are not in order: p50 %g, p95 %g, p99 %g, max %g, mean %g ms", s.P50, s.P95, s.P99, s.Max, s.Mean))
	}
	// Little's law. A VU has one stream at a time.
	if flight := float64(l.Streams) * l.Stream.Mean / 1000 / l.Seconds; flight > 1.02*float64(l.VUs) {
		disturbed = append(disturbed, fmt.Sprintf("rate x mean latency = %.1f streams in flight, but there were %d VUs", flight, l.VUs))
	}
	// A stream is open longer at k6 than at the stub, unless a server asks the stub twice.
	if k6, stub := m.openSeconds(), m.facts.StubStreamSeconds; m.allFailed() == 0 && k6 < 0.98*stub {
		own = append(own, fmt.Sprintf("streams were open for %.1f s at k6, all targets together, and for %.1f s at the stub; k6 lost some", k6, stub))
	}
	return own, disturbed
}

// openSeconds is how long streams were open at k6, of all targets together.
func (l k6Run) openSeconds() (sum float64) {
	for _, of := range l.summary.Loads {
		sum += float64(of.Counts.Stream.SumUS) / 1e6
	}
	return sum
}

// failedOf counts a target's streams that failed, warm-up included.
func (l k6Run) failedOf(target string) (n int64) {
	for _, load := range l.summary.Loads {
		if load.Target == target {
			n += load.Failed
		}
	}
	return n
}

// allFailed and allStreams count over all targets, warm-up included.
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

// broken says what was wrong with streams, and quotes the server's log.
func (m measured) broken(l raw.Load) string {
	if len(l.Broken) == 0 {
		return ""
	}
	return ": " + strings.Join(l.Broken, ", ") + m.log()
}

// mostLines is how many lines of a server's log a record quotes.
const mostLines = 3

// log quotes the server's log, which is named by its path in the directory of the raw files.
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
