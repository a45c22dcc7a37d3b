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
	{"streams", "streams", "streams", "", "k6 stream_failed", "streams that passed every check",
		func(m measured) (float64, bool) { return float64(m.summary.Streams), true }},
	{"failed_pct", "failed %", "%", "lower", "k6 stream_failed", "share of streams that did not pass every check",
		func(m measured) (float64, bool) {
			return 100 * float64(m.summary.Failed) / float64(m.summary.Failed+m.summary.Streams), true
		}},
	{"rate_per_s", "req/s", "streams/s", "higher", "k6 stream_failed over the load's duration", "streams that passed every check, per second",
		func(m measured) (float64, bool) { return float64(m.summary.Streams) / m.summary.Seconds, true }},
	{"stream_mean_ms", "mean ms", "ms", "lower", "k6 stream_ms avg", "time from the request's first byte to the answer's last",
		latency(func(l load.Latency) float64 { return l.Mean })},
	{"stream_p50_ms", "p50 ms", "ms", "lower", "k6 stream_ms med", "its 50th percentile",
		latency(func(l load.Latency) float64 { return l.P50 })},
	{"stream_p95_ms", "p95 ms", "ms", "lower", "k6 stream_ms p(95)", "its 95th percentile",
		latency(func(l load.Latency) float64 { return l.P95 })},
	{"stream_p99_ms", "p99 ms", "ms", "lower", "k6 stream_ms p(99)", "its 99th percentile",
		latency(func(l load.Latency) float64 { return l.P99 })},
	{"stream_max_ms", "max ms", "ms", "lower", "k6 stream_ms max", "its maximum",
		latency(func(l load.Latency) float64 { return l.Max })},
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

func latency(pick func(load.Latency) float64) func(measured) (float64, bool) {
	return func(m measured) (float64, bool) {
		if m.summary.Latency == nil {
			return 0, false
		}
		return pick(*m.summary.Latency), true
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
	return float64(m.summary.Streams) * m.summary.Latency.Mean / 1000 / m.summary.Seconds
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
