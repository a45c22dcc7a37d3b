package record

import (
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// A Metric is one number of a record. The tables list all metrics; the schema, labels and
// directions come from them.
type Metric struct {
	Name   string // with its unit
	Label  string // in a table's head
	Unit   string
	Better string // "higher", "lower", or "" for neither
	Source string
	Means  string
	value  func(measured) (float64, bool)
}

// OfServer reports whether direct has no such figure, since it has no program, or is the reference.
func (m Metric) OfServer() bool {
	return m.Unit == MSOverhead || strings.HasPrefix(m.Name, "server_") || m.Name == "deployed_bytes" || m.Name == "first_answer_ms"
}

// MSOverhead is the unit of a difference in time, which may be negative.
const MSOverhead = "ms overhead"

// withDatabase is the kind of records of servers with a database.
const withDatabase = workload.Request + " with a database"

// Absolute reports whether a metric may be 0 or less. Its changes are differences, not ratios.
func Absolute(metric string) bool { return absolute[metric] }

var absolute = func() map[string]bool {
	all := map[string]bool{}
	for _, table := range tables {
		for _, m := range table {
			all[m.Name] = m.Unit == MSOverhead || strings.HasPrefix(m.Unit, "%") || workload.Absolute(m.Name)
		}
	}
	return all
}()

// kinds of records are the units of the workloads, and withDatabase.
var kinds = append(slices.Clone(workload.Units), withDatabase)

// tables lists the metrics of each kind in the order of display. An overhead is the difference
// between a percentile of the target and that of direct in the same seconds.
var tables = map[string][]Metric{
	workload.Stream:    slices.Concat(loadRows(ofStreams), streamRows, costRows(ofStreams), ratioRows(ofStreams), memoryRows(ofStreams), rigRows(ofStreams)),
	workload.Request:   requestTable(nil),
	withDatabase:       requestTable(databaseRows),
	workload.Iteration: slices.Concat(loadRows(ofIterations), iterationRows, costRows(ofIterations), ratioRows(ofIterations), memoryRows(ofIterations), rigRows(ofIterations)),
}

func requestTable(more []Metric) []Metric {
	return slices.Concat(loadRows(ofRequests), requestRows, eventRows, costRows(ofRequests), byteRows, more, ratioRows(ofRequests), memoryRows(ofRequests), rigRows(ofRequests))
}

// Table lists the metrics of a workload's records in the order of display.
func Table(name string) []Metric {
	w := workload.Named(name)
	if w.Database {
		return tables[withDatabase]
	}
	return tables[w.Unit]
}

// Find looks a metric up by its name, in the table of any kind.
func Find(name string) (Metric, bool) {
	for _, kind := range kinds {
		if m, ok := find(tables[kind], name); ok {
			return m, true
		}
	}
	return Metric{}, false
}

// FindIn looks a metric up by its name, in the table of a workload.
func FindIn(workload, name string) (Metric, bool) { return find(Table(workload), name) }

func find(table []Metric, name string) (Metric, bool) {
	i := slices.IndexFunc(table, func(m Metric) bool { return m.Name == name })
	if i < 0 {
		return Metric{}, false
	}
	return table[i], true
}

func request(l raw.Load) *raw.Times    { return l.Request }
func ttft(l raw.Load) *raw.Times       { return l.TTFT }
func itl(l raw.Load) *raw.Times        { return l.Itl }
func tokenDelay(l raw.Load) *raw.Times { return l.TokenDelay }
func allNamed(l raw.Load) *raw.Times   { return l.AllNamed }
func ttfb(l raw.Load) *raw.Times       { return l.TTFB }
func late(l raw.Load) *raw.Times       { return l.Late }

func mean(t raw.Times) float64 { return t.Mean }
func p50(t raw.Times) float64  { return t.P50 }
func p95(t raw.Times) float64  { return t.P95 }
func p99(t raw.Times) float64  { return t.P99 }

func times(of func(raw.Load) *raw.Times, pick func(raw.Times) float64) func(measured) (float64, bool) {
	return func(m measured) (float64, bool) {
		t := of(m.load)
		if t == nil {
			return 0, false
		}
		return pick(*t), true
	}
}

// overhead is the difference to direct.
func overhead(of func(raw.Load) *raw.Times, pick func(raw.Times) float64) func(measured) (float64, bool) {
	return func(m measured) (float64, bool) {
		t := of(m.load)
		if t == nil || m.direct == nil || of(*m.direct) == nil || !m.server() {
			return 0, false
		}
		return pick(*t) - pick(*of(*m.direct)), true
	}
}

func ofTarget(m measured) ([]int, int64) { return m.target.PIDs, m.load.Requests }

func ofK6(m measured) ([]int, int64) {
	requests, _ := m.rigRequests()
	return []int{m.facts.K6PID}, requests
}

func rssSlope(of func(measured) (pids []int, requests int64), pick func(Growth) float64) func(measured) (float64, bool) {
	return func(m measured) (float64, bool) {
		s, ok := m.rssSlope(of(m))
		return pick(s), ok
	}
}

func cpuPct(name string) func(measured) (float64, bool) {
	return func(m measured) (float64, bool) {
		used, ok := m.load.CPUSeconds[name]
		return 100 * used / m.load.Seconds, ok
	}
}
