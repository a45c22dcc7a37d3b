package record

import (
	"fairstream/scripts/load"
	"fairstream/scripts/raw"
	"fairstream/scripts/sample"
)

// A Metric is one number of a record. The list of them, Table, is the only
// one: the schema, labels and directions are read from it.
type Metric struct {
	Name   string // with its unit
	Label  string // of a table's column
	Unit   string
	Better string // "higher", "lower", or "" when neither is
	Source string
	Means  string
	value  func(measured) (float64, bool)
}

// measured is what the raw files of one record say.
type measured struct {
	facts   raw.Facts
	summary load.Summary
	warmUp  load.Summary
	samples []sample.Sample
}

// Table is every metric, in the order of display.
var Table = []Metric{
	{"streams", "streams", "streams", "", "k6/x/sse", "streams that came whole and in order",
		func(m measured) (float64, bool) { return float64(m.summary.Streams), true }},
	{"failed_pct", "failed %", "%", "lower", "k6/x/sse", "share of streams that did not come whole and in order",
		func(m measured) (float64, bool) {
			return 100 * float64(m.summary.Failed) / float64(m.summary.Failed+m.summary.Streams), true
		}},
	{"rate_per_s", "req/s", "streams/s", "higher", "k6/x/sse over the load's duration", "streams that came whole and in order, per second",
		func(m measured) (float64, bool) { return float64(m.summary.Streams) / m.summary.Seconds, true }},
	{"stream_mean_ms", "mean ms", "ms", "lower", "k6/x/sse stream_us, mean", "time from the request's first byte to the answer's last",
		times(stream, func(t load.Times) float64 { return t.Mean })},
	{"stream_p50_ms", "p50 ms", "ms", "lower", "k6/x/sse stream_us", "its 50th percentile",
		times(stream, func(t load.Times) float64 { return t.P50 })},
	{"stream_p95_ms", "p95 ms", "ms", "lower", "k6/x/sse stream_us", "its 95th percentile",
		times(stream, func(t load.Times) float64 { return t.P95 })},
	{"stream_p99_ms", "p99 ms", "ms", "lower", "k6/x/sse stream_us", "its 99th percentile",
		times(stream, func(t load.Times) float64 { return t.P99 })},
	{"stream_max_ms", "max ms", "ms", "lower", "k6/x/sse stream_us, exact", "its maximum",
		times(stream, func(t load.Times) float64 { return t.Max })},
	{"ttft_p50_ms", "TTFT p50 ms", "ms", "lower", "k6/x/sse ttft_us", "time from the request's first byte to the first token, 50th percentile",
		times(ttft, func(t load.Times) float64 { return t.P50 })},
	{"ttft_p95_ms", "TTFT p95 ms", "ms", "lower", "k6/x/sse ttft_us", "its 95th percentile",
		times(ttft, func(t load.Times) float64 { return t.P95 })},
	{"gap_p50_ms", "gap p50 ms", "ms", "", "k6/x/sse gap_us", "time between two tokens, 50th percentile; the stub's pace when nothing delays",
		times(gap, func(t load.Times) float64 { return t.P50 })},
	{"gap_p99_ms", "gap p99 ms", "ms", "lower", "k6/x/sse gap_us", "its 99th percentile",
		times(gap, func(t load.Times) float64 { return t.P99 })},
	{"transit_p50_ms", "transit p50 ms", "ms", "lower", "k6/x/sse transit_us", "time from the stub's sending of a token to its arrival at k6, 50th percentile",
		times(transit, func(t load.Times) float64 { return t.P50 })},
	{"transit_p99_ms", "transit p99 ms", "ms", "lower", "k6/x/sse transit_us", "its 99th percentile",
		times(transit, func(t load.Times) float64 { return t.P99 })},
	{"in_flight_mean", "in flight", "streams", "", "stub, over the load's duration", "streams open at a time, as the stub saw it",
		func(m measured) (float64, bool) { return m.facts.StubStreamSeconds / m.summary.Seconds, true }},
	{"server_cpu_mean_pct", "CPU %", "% of one core", "lower", "process CPU clock over the load's duration", "CPU time of the server and its children",
		cpuPct("server")},
	{"server_cpu_us_per_stream", "CPU us/stream", "us", "lower", "process CPU clock over streams", "CPU time of the server and its children for one stream",
		func(m measured) (float64, bool) {
			// Failed streams have cost something too, but nobody knows what.
			return 1e6 * m.facts.CPUSeconds["server"] / float64(m.summary.Streams), m.summary.Failed == 0
		}},
	{"server_rss_peak_bytes", "peak RSS MB", "bytes", "lower", "VmHWM, reset after warm-up", "most memory the server and its children held",
		func(m measured) (float64, bool) { v, ok := m.facts.PeakRSSBytes["server"]; return float64(v), ok }},
	{"server_rss_mean_bytes", "mean RSS MB", "bytes", "lower", "pidstat RSS", "mean memory of the server and its children, over the seconds sampled",
		func(m measured) (float64, bool) { return m.meanRSS() }},
	{"k6_cpu_mean_pct", "k6 CPU %", "% of one core", "", "rusage over the load's duration", "CPU time of the load generator, its start included",
		cpuPct("k6")},
	{"stub_cpu_mean_pct", "stub CPU %", "% of one core", "", "process CPU clock over the load's duration", "CPU time of the fake model",
		cpuPct("stub")},
	{"samples", "samples", "seconds", "", "pidstat", "seconds in which the server was sampled",
		func(m measured) (float64, bool) { return float64(m.seconds()), true }},
}

// Find looks a metric up by its name.
func Find(name string) (Metric, bool) {
	for _, m := range Table {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}

func stream(s load.Summary) *load.Times  { return s.Stream }
func ttft(s load.Summary) *load.Times    { return s.TTFT }
func gap(s load.Summary) *load.Times     { return s.Gap }
func transit(s load.Summary) *load.Times { return s.Transit }

func times(of func(load.Summary) *load.Times, pick func(load.Times) float64) func(measured) (float64, bool) {
	return func(m measured) (float64, bool) {
		t := of(m.summary)
		if t == nil {
			return 0, false
		}
		return pick(*t), true
	}
}

func cpuPct(role string) func(measured) (float64, bool) {
	return func(m measured) (float64, bool) {
		v, ok := m.facts.CPUSeconds[role]
		return 100 * v / m.summary.Seconds, ok
	}
}

// little is the mean number of streams in flight by Little's law, from k6's
// count and latency. It covers all of the load's duration, ramps included.
func (m measured) little() float64 {
	return float64(m.summary.Streams) * m.summary.Stream.Mean / 1000 / m.summary.Seconds
}

// of is pidstat's view of one role.
func (m measured) of(role string) []sample.Sample {
	var found []sample.Sample
	for _, s := range m.samples {
		for _, pid := range m.facts.PIDs[role] {
			if s.PID == pid {
				found = append(found, s)
			}
		}
	}
	return found
}

// seconds is in how many seconds the server was sampled.
func (m measured) seconds() int {
	seen := map[int64]bool{}
	for _, s := range m.of("server") {
		seen[s.Time] = true
	}
	return len(seen)
}

func (m measured) meanRSS() (float64, bool) {
	var sum float64
	for _, s := range m.of("server") {
		sum += float64(s.RSSBytes)
	}
	n := m.seconds()
	return sum / float64(n), n > 0
}
