package record

import "fairstream/scripts/internal/judge/raw"

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

// MSOverhead is the unit of a difference in time, which may be negative.
const MSOverhead = "ms overhead"

// Table is every metric, in the order of display. What is added is beside
// direct in the same seconds: the difference of both percentiles.
var Table = []Metric{
	{"streams", "streams", "streams", "", "k6/x/sse", "streams that came whole and in order",
		func(m measured) (float64, bool) { return float64(m.load.Streams), m.loaded }},
	{"failed_pct", "failed %", "%", "lower", "k6/x/sse", "share of streams that did not come whole and in order",
		func(m measured) (float64, bool) {
			return 100 * float64(m.load.Failed) / float64(m.load.Failed+m.load.Streams), m.loaded
		}},
	{"rate_per_s", "req/s", "streams/s", "higher", "k6/x/sse: streams over the time that VUs had one, times VUs", "streams that came whole and in order, per second in which all VUs have one",
		func(m measured) (float64, bool) { return rate(m.load), m.loaded }},
	{"rate_x_direct", "req/s over direct", "ratio", "higher", "rate_per_s of both", "the rate as a share of direct's",
		func(m measured) (float64, bool) {
			if m.direct == nil {
				return 0, false
			}
			return rate(m.load) / rate(*m.direct), true
		}},
	{"stream_mean_ms", "mean ms", "ms", "lower", "k6/x/sse stream_us, mean", "time of a whole stream, from the request's first byte to the answer's last, mean",
		times(stream, mean)},
	{"stream_p50_ms", "p50 ms", "ms", "lower", "k6/x/sse stream_us", "time of a whole stream, 50th percentile", times(stream, p50)},
	{"stream_p95_ms", "p95 ms", "ms", "lower", "k6/x/sse stream_us", "time of a whole stream, 95th percentile", times(stream, p95)},
	{"stream_p99_ms", "p99 ms", "ms", "lower", "k6/x/sse stream_us", "time of a whole stream, 99th percentile", times(stream, p99)},
	{"stream_max_ms", "max ms", "ms", "lower", "k6/x/sse stream_us, exact", "time of a whole stream, the longest",
		times(stream, func(t raw.Times) float64 { return t.Max })},
	{"stream_p95_overhead_ms", "added p95 ms", MSOverhead, "lower", "stream_p95_ms of both", "time of a whole stream less direct's, 95th percentiles", added(stream, p95)},
	{"ttft_p50_ms", "TTFT p50 ms", "ms", "lower", "k6/x/sse ttft_us", "time to first token, from the request's first byte, 50th percentile", times(ttft, p50)},
	{"ttft_p95_ms", "TTFT p95 ms", "ms", "lower", "k6/x/sse ttft_us", "time to first token, from the request's first byte, 95th percentile", times(ttft, p95)},
	{"ttft_p50_overhead_ms", "added TTFT p50 ms", MSOverhead, "lower", "ttft_p50_ms of both", "time to first token less direct's, 50th percentiles", added(ttft, p50)},
	{"ttft_p95_overhead_ms", "added TTFT p95 ms", MSOverhead, "lower", "ttft_p95_ms of both", "time to first token less direct's, 95th percentiles", added(ttft, p95)},
	{"itl_p50_ms", "itl p50 ms", "ms", "", "k6/x/sse itl_us", "time between two tokens, 50th percentile; the stub's pace when nothing delays", times(itl, p50)},
	{"itl_p99_ms", "itl p99 ms", "ms", "lower", "k6/x/sse itl_us", "time between two tokens, 99th percentile", times(itl, p99)},
	{"itl_p99_overhead_ms", "added itl p99 ms", MSOverhead, "lower", "itl_p99_ms of both", "time between two tokens less direct's, 99th percentiles", added(itl, p99)},
	{"token_delay_p50_ms", "token delay p50 ms", "ms", "lower", "k6/x/sse token_delay_us", "time from the stub's sending of a token to its arrival at k6, 50th percentile", times(tokenDelay, p50)},
	{"token_delay_p99_ms", "token delay p99 ms", "ms", "lower", "k6/x/sse token_delay_us", "time from the stub's sending of a token to its arrival at k6, 99th percentile", times(tokenDelay, p99)},
	{"token_delay_p50_overhead_ms", "added token delay p50 ms", MSOverhead, "lower", "token_delay_p50_ms of both", "time from the stub's sending of a token to its arrival at k6 less direct's, 50th percentiles", added(tokenDelay, p50)},
	{"in_flight_mean", "in flight", "streams", "", "k6/x/sse: time of all streams over the time of the slices", "streams open at a time",
		func(m measured) (float64, bool) {
			if m.load.Stream == nil {
				return 0, false
			}
			return float64(m.load.Streams) * m.load.Stream.Mean / 1000 / m.load.Seconds, true
		}},
	{"server_cpu_mean_pct", "CPU %", "% of one core", "lower", "process CPU clock over the slices", "CPU time of the server and its children",
		func(m measured) (float64, bool) {
			used, ok := m.load.CPUSeconds[m.target.Name]
			return 100 * used / m.load.Seconds, ok
		}},
	{"server_cpu_us_per_stream", "CPU us/stream", "us", "lower", "process CPU clock over streams", "CPU time of the server and its children for one stream", perStream},
	{"server_cpu_x_rig", "CPU over rig", "ratio", "lower", "process CPU clocks in the same slices", "CPU time of the server for one stream, over that of k6 and the stub for one",
		func(m measured) (float64, bool) {
			server, ok := perStream(m)
			rig, known := rigPerStream(m)
			return server / rig, ok && known
		}},
	{"server_share_pct", "server's share %", "%", "", "process CPU clocks in the slices", "the server's part of all CPU time of server, k6 and stub; not known side by side",
		func(m measured) (float64, bool) {
			used, ok := m.load.CPUSeconds[m.target.Name]
			rig, known := m.rigSeconds()
			return 100 * used / (used + rig), ok && known && !m.paced
		}},
	{"server_rss_peak_bytes", "peak RSS MB", "bytes", "lower", "VmHWM, reset when the level begins", "most memory the server and its children held on the level",
		func(m measured) (float64, bool) {
			v, ok := m.load.PeakRSSBytes[m.target.Name]
			return float64(v), ok && len(m.target.Warnings) == 0
		}},
	{"server_rss_mean_bytes", "mean RSS MB", "bytes", "lower", "pidstat RSS", "mean memory of the server and its children, over the seconds sampled in the whole k6 run",
		func(m measured) (float64, bool) { return m.meanRSS() }},
	{"server_rss_slope_bytes_per_stream", "RSS growth B/stream", "bytes/stream", "lower", "pidstat RSS, least squares over ten blocks of seconds", "growth of the server's memory with each stream, of a paced load of five minutes or more",
		rssSlope(ofTarget, func(g Growth) float64 { return g.Bytes })},
	{"server_rss_slope_low_bytes_per_stream", "RSS growth, low", "bytes/stream", "", "Student's t", "lower end of the 95 % interval of RSS growth",
		rssSlope(ofTarget, func(g Growth) float64 { return g.Low })},
	{"server_rss_slope_high_bytes_per_stream", "RSS growth, high", "bytes/stream", "", "Student's t", "upper end of the 95 % interval of RSS growth",
		rssSlope(ofTarget, func(g Growth) float64 { return g.High })},
	{"k6_rss_slope_bytes_per_stream", "k6 growth B/stream", "bytes/stream", "", "as the server's", "growth of k6's memory with each stream, of all targets",
		rssSlope(ofK6, func(g Growth) float64 { return g.Bytes })},
	{"rig_cpu_us_per_stream", "rig us/stream", "us", "", "process CPU clocks over streams", "CPU time of k6 and the stub for one stream", rigPerStream},
	{"k6_cpu_mean_pct", "k6 CPU %", "% of one core", "", "process CPU clock over the slices", "CPU time of the load generator", cpuPct("k6")},
	{"stub_cpu_mean_pct", "stub CPU %", "% of one core", "", "process CPU clock over the slices", "CPU time of the fake model", cpuPct("stub")},
	{"k6_wait_pct", "k6 wait %", "% of its CPU time", "", "schedstat of k6's threads", "time that k6's threads were ready and waited for a core, beside its CPU time",
		func(m measured) (float64, bool) {
			used, ok := m.load.CPUSeconds["k6"]
			if m.load.K6WaitSeconds == nil {
				return 0, false
			}
			return 100 * *m.load.K6WaitSeconds / used, ok && used > 0
		}},
	{"machine_cpu_pct", "machine %", "%", "", "process CPU clocks over the slices and the cores", "CPU time of all targets, k6 and stub, of all cores",
		func(m measured) (float64, bool) {
			used, ok := m.allSeconds()
			return 100 * used / m.load.Seconds / float64(m.cores), ok && m.cores > 0
		}},
	{"sampler_cpu_mean_pct", "sampler CPU %", "% of one core", "", "rusage of pidstat", "CPU time of pidstat, over the whole k6 run",
		func(m measured) (float64, bool) {
			return 100 * m.facts.PidstatCPUSeconds / m.facts.Seconds, m.facts.Seconds > 0
		}},
	{"samples", "samples", "seconds", "", "pidstat", "seconds in which the server was sampled, in the whole k6 run",
		func(m measured) (float64, bool) { return float64(seconds(m.ofTarget())), m.server() }},
}

// rate is what the VUs do while each has a stream: the ramp at the begin of a
// slice and the drain at its end do not count.
func rate(l raw.Load) float64 { return float64(l.Streams) * float64(l.VUs) / l.BusySeconds }

func perStream(m measured) (float64, bool) {
	used, ok := m.load.CPUSeconds[m.target.Name]
	// Failed streams have cost something too, but nobody knows what; nor what
	// processes used that came or went.
	return 1e6 * used / float64(m.load.Streams), ok && m.load.Failed == 0 && len(m.target.Warnings) == 0
}

func rigPerStream(m measured) (float64, bool) {
	used, ok := m.rigSeconds()
	streams, whole := m.rigStreams()
	return 1e6 * used / float64(streams), ok && whole
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

func stream(l raw.Load) *raw.Times     { return l.Stream }
func ttft(l raw.Load) *raw.Times       { return l.TTFT }
func itl(l raw.Load) *raw.Times        { return l.Itl }
func tokenDelay(l raw.Load) *raw.Times { return l.TokenDelay }

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

// added is the difference to direct.
func added(of func(raw.Load) *raw.Times, pick func(raw.Times) float64) func(measured) (float64, bool) {
	return func(m measured) (float64, bool) {
		t := of(m.load)
		if t == nil || m.direct == nil || of(*m.direct) == nil || !m.server() {
			return 0, false
		}
		return pick(*t) - pick(*of(*m.direct)), true
	}
}

func ofTarget(m measured) ([]int, int64) { return m.target.PIDs, m.load.Streams }

func ofK6(m measured) ([]int, int64) {
	streams, _ := m.rigStreams()
	return []int{m.facts.K6PID}, streams
}

func rssSlope(of func(measured) (pids []int, streams int64), pick func(Growth) float64) func(measured) (float64, bool) {
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
