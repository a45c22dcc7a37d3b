package record

import (
	"strings"

	"fairstream/scripts/internal/judge/raw"
)

// A Metric is one number of a record. Table lists all metrics; the schema, labels and
// directions come from it.
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

// Table lists all metrics in the order of display. An overhead is the difference between a
// percentile of the target and that of direct in the same seconds.
var Table = []Metric{
	{"streams", "streams", "streams", "", "k6/x/sse", "streams that arrived complete and in order",
		func(m measured) (float64, bool) { return float64(m.load.Streams), m.loaded }},
	{"failed_pct", "failed %", "%", "lower", "k6/x/sse", "share of streams that did not arrive complete and in order",
		func(m measured) (float64, bool) {
			return 100 * float64(m.load.Failed) / float64(m.load.Failed+m.load.Streams), m.loaded
		}},
	{"rate_per_s", "req/s", "streams/s", "higher", "k6/x/sse: streams over the time that VUs had one, times VUs", "complete streams per second, over the time in which all VUs have one",
		func(m measured) (float64, bool) { return rate(m.load), m.loaded }},
	{"rate_x_direct", "req/s x direct", "ratio", "higher", "rate_per_s of both", "the rate as a ratio to that of direct",
		func(m measured) (float64, bool) {
			if m.direct == nil {
				return 0, false
			}
			return rate(m.load) / rate(*m.direct), true
		}},
	{"stream_mean_ms", "mean ms", "ms", "lower", "k6/x/sse stream_us, mean", "time of a complete stream, from the request's first byte to the answer's last, mean",
		times(stream, mean)},
	{"stream_p50_ms", "p50 ms", "ms", "lower", "k6/x/sse stream_us", "time of a complete stream, 50th percentile", times(stream, p50)},
	{"stream_p95_ms", "p95 ms", "ms", "lower", "k6/x/sse stream_us", "time of a complete stream, 95th percentile", times(stream, p95)},
	{"stream_p99_ms", "p99 ms", "ms", "lower", "k6/x/sse stream_us", "time of a complete stream, 99th percentile", times(stream, p99)},
	{"stream_max_ms", "max ms", "ms", "lower", "k6/x/sse stream_us, exact", "time of a complete stream, the longest",
		times(stream, func(t raw.Times) float64 { return t.Max })},
	{"stream_p95_overhead_ms", "p95 overhead ms", MSOverhead, "lower", "stream_p95_ms of both", "time of a complete stream less that of direct, 95th percentiles", overhead(stream, p95)},
	{"ttft_p50_ms", "TTFT p50 ms", "ms", "lower", "k6/x/sse ttft_us", "time to first token, from the request's first byte, 50th percentile", times(ttft, p50)},
	{"ttft_p95_ms", "TTFT p95 ms", "ms", "lower", "k6/x/sse ttft_us", "time to first token, from the request's first byte, 95th percentile", times(ttft, p95)},
	{"ttft_p50_overhead_ms", "TTFT p50 overhead ms", MSOverhead, "lower", "ttft_p50_ms of both", "time to first token less that of direct, 50th percentiles", overhead(ttft, p50)},
	{"ttft_p95_overhead_ms", "TTFT p95 overhead ms", MSOverhead, "lower", "ttft_p95_ms of both", "time to first token less that of direct, 95th percentiles", overhead(ttft, p95)},
	{"itl_p50_ms", "ITL p50 ms", "ms", "", "k6/x/sse itl_us", "time between two tokens, 50th percentile; the stub's pace when nothing delays the tokens", times(itl, p50)},
	{"itl_p99_ms", "ITL p99 ms", "ms", "lower", "k6/x/sse itl_us", "time between two tokens, 99th percentile", times(itl, p99)},
	{"itl_p99_overhead_ms", "ITL p99 overhead ms", MSOverhead, "lower", "itl_p99_ms of both", "time between two tokens less that of direct, 99th percentiles", overhead(itl, p99)},
	{"token_delay_p50_ms", "token delay p50 ms", "ms", "lower", "k6/x/sse token_delay_us", "time from the stub's sending of a token to its arrival at k6, 50th percentile", times(tokenDelay, p50)},
	{"token_delay_p99_ms", "token delay p99 ms", "ms", "lower", "k6/x/sse token_delay_us", "time from the stub's sending of a token to its arrival at k6, 99th percentile", times(tokenDelay, p99)},
	{"token_delay_p50_overhead_ms", "forwarding delay p50 ms", MSOverhead, "lower", "token_delay_p50_ms of both", "token delay less that of direct, 50th percentiles", overhead(tokenDelay, p50)},
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
	{"server_cpu_x_rig", "CPU x rig", "ratio", "lower", "process CPU clocks in the same slices", "CPU time of the server for one stream, as a ratio to that of k6 and the stub",
		func(m measured) (float64, bool) {
			server, ok := perStream(m)
			rig, known := rigPerStream(m)
			return server / rig, ok && known
		}},
	{"server_share_pct", "server's share %", "%", "", "process CPU clocks in the slices", "the server's share of the CPU time of server, k6 and stub; unknown where targets run side by side",
		func(m measured) (float64, bool) {
			used, ok := m.load.CPUSeconds[m.target.Name]
			rig, known := m.rigSeconds()
			return 100 * used / (used + rig), ok && known && !m.paced
		}},
	{"server_rss_peak_bytes", "peak RSS MB", "bytes", "lower", "VmHWM, reset when the level begins", "most memory that the server and its children held in a level",
		func(m measured) (float64, bool) {
			v, ok := m.load.PeakRSSBytes[m.target.Name]
			return float64(v), ok && len(m.target.Warnings) == 0
		}},
	{"server_rss_mean_bytes", "mean RSS MB", "bytes", "lower", "pidstat RSS", "mean memory of the server and its children, over the seconds sampled in the k6 run",
		func(m measured) (float64, bool) { return m.meanRSS() }},
	{"server_rss_slope_bytes_per_stream", "RSS growth B/stream", "bytes/stream", "lower", "pidstat RSS, least squares over ten blocks of seconds", "growth of the server's memory for each stream, under a paced load of five minutes or more",
		rssSlope(ofTarget, func(g Growth) float64 { return g.Bytes })},
	{"server_rss_slope_low_bytes_per_stream", "RSS growth, low", "bytes/stream", "", "Student's t", "lower end of the 95 % interval of RSS growth",
		rssSlope(ofTarget, func(g Growth) float64 { return g.Low })},
	{"server_rss_slope_high_bytes_per_stream", "RSS growth, high", "bytes/stream", "", "Student's t", "upper end of the 95 % interval of RSS growth",
		rssSlope(ofTarget, func(g Growth) float64 { return g.High })},
	{"k6_rss_slope_bytes_per_stream", "k6 growth B/stream", "bytes/stream", "", "as the server's", "growth of k6's memory for each stream of all targets",
		rssSlope(ofK6, func(g Growth) float64 { return g.Bytes })},
	{"deployed_bytes", "deployed MB", "bytes", "lower", "file sizes after the build", "size of all files that a deployment copies: the binary, or the runtime's program with the code and its packages",
		func(m measured) (float64, bool) {
			if m.target.DeployedBytes == nil {
				return 0, false
			}
			return float64(*m.target.DeployedBytes), true
		}},
	{"first_answer_ms", "start ms", "ms", "lower", "clock of the tool, which asks each millisecond", "time from the start of the server's process to its first healthy answer of GET /healthz, with its program in the page cache",
		func(m measured) (float64, bool) {
			if m.target.FirstAnswerMS == nil {
				return 0, false
			}
			return *m.target.FirstAnswerMS, true
		}},
	{"rig_cpu_us_per_stream", "rig us/stream", "us", "", "process CPU clocks over streams", "CPU time of k6 and the stub for one stream", rigPerStream},
	{"k6_cpu_mean_pct", "k6 CPU %", "% of one core", "", "process CPU clock over the slices", "CPU time of k6", cpuPct("k6")},
	{"stub_cpu_mean_pct", "stub CPU %", "% of one core", "", "process CPU clock over the slices", "CPU time of the stub", cpuPct("stub")},
	{"k6_wait_pct", "k6 wait %", "% of its CPU time", "", "schedstat of k6's threads", "time in which k6's threads waited for a core, as a share of its CPU time",
		func(m measured) (float64, bool) {
			used, ok := m.load.CPUSeconds["k6"]
			if m.load.K6WaitSeconds == nil {
				return 0, false
			}
			return 100 * *m.load.K6WaitSeconds / used, ok && used > 0
		}},
	{"machine_cpu_pct", "machine %", "%", "", "process CPU clocks over the slices and the cores", "share of the machine's CPU time that targets, k6 and stub used",
		func(m measured) (float64, bool) {
			used, ok := m.allSeconds()
			return 100 * used / m.load.Seconds / float64(m.cores), ok && m.cores > 0
		}},
	{"sampler_cpu_mean_pct", "sampler CPU %", "% of one core", "", "rusage of pidstat", "CPU time of pidstat, over the complete k6 run",
		func(m measured) (float64, bool) {
			return 100 * m.facts.PidstatCPUSeconds / m.facts.Seconds, m.facts.Seconds > 0
		}},
	{"samples", "samples", "seconds", "", "pidstat", "seconds in which pidstat sampled the server",
		func(m measured) (float64, bool) { return float64(seconds(m.ofTarget())), m.server() }},
}

// rate counts the time in which every VU has a stream. It leaves out the ramp at the start of
// a slice and the drain at its end.
func rate(l raw.Load) float64 { return float64(l.Streams) * float64(l.VUs) / l.BusySeconds }

func perStream(m measured) (float64, bool) {
	used, ok := m.load.CPUSeconds[m.target.Name]
	// Failed streams cost an unknown amount. So do processes that started or ended meanwhile.
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
