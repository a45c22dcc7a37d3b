package record

import (
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// later are metrics that came after the first records of this schema. They are unknown in a record that lacks them.
var later = []string{"rate_se_pct", "first_token_p50_ms", "first_token_p95_ms"}

// A unit has the words of the rows that the tables of all units share.
type unit struct{ name, module, whole, begin, end, rate string }

var (
	ofStreams    = unit{workload.Stream, "k6/x/sse", "complete and in order", "the request's first byte", "the answer's last", ""}
	ofRequests   = unit{workload.Request, "k6/x/plain", "complete and correct", "the request's first byte, or its intended start at a fixed arrival rate,", "the answer's last", "; at a fixed arrival rate over all seconds"}
	ofIterations = unit{workload.Iteration, "k6", "at their end", "its begin", "its end, with the script's pauses", "; of a script over all seconds"}
)

// loadRows say how much was served, and how fast.
func loadRows(u unit) []Metric {
	return []Metric{
		{u.name + "s", u.name + "s", u.name + "s", "", u.module, u.name + "s that arrived " + u.whole,
			func(m measured) (float64, bool) { return float64(m.load.Requests), m.loaded }},
		{"failed_pct", "failed %", "%", "lower", u.module, "share of " + u.name + "s that did not arrive " + u.whole,
			func(m measured) (float64, bool) {
				return 100 * float64(m.load.Failed) / float64(m.load.Failed+m.load.Requests), m.loaded
			}},
		{"rate_per_s", "req/s", u.name + "s/s", "higher", u.module + ": " + u.name + "s over the time that VUs had one, times VUs" + u.rate, "complete " + u.name + "s per second, over the time in which all VUs have one" + u.rate,
			func(m measured) (float64, bool) { return m.load.Rate(), m.loaded }},
		{"rate_x_direct", "req/s x direct", "ratio", "higher", "rate_per_s of both", "the rate as a ratio to that of direct",
			func(m measured) (float64, bool) {
				if m.direct == nil {
					return 0, false
				}
				return m.load.Rate() / m.direct.Rate(), true
			}},
		{"rate_se_pct", "req/s +-%", "%", "", u.module + ", rates of cycles", "standard error of the rate within the k6 run, as its cycles show it", rateSE},
		{u.name + "_mean_ms", "mean ms", "ms", "lower", u.module + " " + u.name + "_us, mean", "time of a complete " + u.name + ", from " + u.begin + " to " + u.end + ", mean",
			times(request, mean)},
		{u.name + "_p50_ms", "p50 ms", "ms", "lower", u.module + " " + u.name + "_us", "time of a complete " + u.name + ", 50th percentile", times(request, p50)},
		{u.name + "_p95_ms", "p95 ms", "ms", "lower", u.module + " " + u.name + "_us", "time of a complete " + u.name + ", 95th percentile", times(request, p95)},
		{u.name + "_p99_ms", "p99 ms", "ms", "lower", u.module + " " + u.name + "_us", "time of a complete " + u.name + ", 99th percentile", times(request, p99)},
		{u.name + "_max_ms", "max ms", "ms", "lower", u.module + " " + u.name + "_us, exact", "time of a complete " + u.name + ", the longest",
			times(request, func(t raw.Times) float64 { return t.Max })},
		{u.name + "_p95_overhead_ms", "p95 overhead ms", MSOverhead, "lower", u.name + "_p95_ms of both", "time of a complete " + u.name + " less that of direct, 95th percentiles", overhead(request, p95)},
	}
}

// costRows say what the server spends.
func costRows(u unit) []Metric {
	return []Metric{
		{"in_flight_mean", "in flight", u.name + "s", "", u.module + ": time of all " + u.name + "s over the time of the slices", u.name + "s open at a time",
			func(m measured) (float64, bool) {
				if m.load.Request == nil {
					return 0, false
				}
				return float64(m.load.Requests) * m.load.Request.Mean / 1000 / m.load.Seconds, true
			}},
		{"server_cpu_mean_pct", "CPU %", "% of one core", "lower", "process CPU clock over the slices", "CPU time of the server and its children",
			func(m measured) (float64, bool) {
				used, ok := m.load.CPUSeconds[m.target.Name]
				return 100 * used / m.load.Seconds, ok
			}},
		{"server_cpu_us_per_" + u.name, "CPU us/" + u.name, "us", "lower", "process CPU clock over " + u.name + "s", "CPU time of the server and its children for one " + u.name, perRequest},
	}
}

// ratioRows compare the CPU time of the server with that of the rig.
func ratioRows(u unit) []Metric {
	return []Metric{
		{"server_cpu_x_rig", "CPU x rig", "ratio", "lower", "process CPU clocks in the same slices", "CPU time of the server for one " + u.name + ", as a ratio to that of k6 and the stub",
			func(m measured) (float64, bool) {
				server, ok := perRequest(m)
				rig, known := rigPerRequest(m)
				return server / rig, ok && known
			}},
		{"server_share_pct", "server's share %", "%", "", "process CPU clocks in the slices", "the server's share of the CPU time of server, k6 and stub; unknown where targets run side by side",
			func(m measured) (float64, bool) {
				used, ok := m.load.CPUSeconds[m.target.Name]
				rig, known := m.rigSeconds()
				return 100 * used / (used + rig), ok && known && !m.paced
			}},
	}
}

// memoryRows say what the server and k6 hold.
func memoryRows(u unit) []Metric {
	return []Metric{
		{"server_rss_peak_bytes", "peak RSS MB", "bytes", "lower", "VmHWM, reset when the level begins", "most memory that the server and its children held in a level",
			func(m measured) (float64, bool) {
				v, ok := m.load.PeakRSSBytes[m.target.Name]
				return float64(v), ok && len(m.target.Warnings) == 0
			}},
		{"server_rss_mean_bytes", "mean RSS MB", "bytes", "lower", "pidstat RSS", "mean memory of the server and its children, over the seconds sampled in the level",
			func(m measured) (float64, bool) { return m.meanRSS() }},
		{"server_rss_slope_bytes_per_" + u.name, "RSS growth B/" + u.name, "bytes/" + u.name, "lower", "pidstat RSS, least squares over ten blocks of seconds", "growth of the server's memory for each " + u.name + ", under a paced load of five minutes or more",
			rssSlope(ofTarget, func(g Growth) float64 { return g.Bytes })},
		{"server_rss_slope_low_bytes_per_" + u.name, "RSS growth, low", "bytes/" + u.name, "", "Student's t", "lower end of the 95 % interval of RSS growth",
			rssSlope(ofTarget, func(g Growth) float64 { return g.Low })},
		{"server_rss_slope_high_bytes_per_" + u.name, "RSS growth, high", "bytes/" + u.name, "", "Student's t", "upper end of the 95 % interval of RSS growth",
			rssSlope(ofTarget, func(g Growth) float64 { return g.High })},
		{"k6_rss_slope_bytes_per_" + u.name, "k6 growth B/" + u.name, "bytes/" + u.name, "", "as the server's", "growth of k6's memory for each " + u.name + " of all targets",
			rssSlope(ofK6, func(g Growth) float64 { return g.Bytes })},
	}
}

// rigRows are facts of the program, and of the rig and the machine.
func rigRows(u unit) []Metric {
	return []Metric{
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
		{"rig_cpu_us_per_" + u.name, "rig us/" + u.name, "us", "", "process CPU clocks over " + u.name + "s", "CPU time of k6 and the stub for one " + u.name, rigPerRequest},
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
				return 100 * m.facts.PidstatCPUSeconds / m.facts.Seconds, m.facts.Seconds > 0 && !m.facts.Unsampled
			}},
		{"samples", "samples", "seconds", "", "pidstat", "seconds in which pidstat sampled the server",
			func(m measured) (float64, bool) {
				return float64(seconds(m.ofTarget())), m.server() && !m.facts.Unsampled
			}},
	}
}

func perRequest(m measured) (float64, bool) {
	used, ok := m.load.CPUSeconds[m.target.Name]
	// Failed requests cost an unknown amount. So do processes that started or ended meanwhile.
	return 1e6 * used / float64(m.load.Requests), ok && m.load.Failed == 0 && len(m.target.Warnings) == 0
}

func rigPerRequest(m measured) (float64, bool) {
	used, ok := m.rigSeconds()
	requests, whole := m.rigRequests()
	return 1e6 * used / float64(requests), ok && whole
}

// streamRows are what only streams of tokens have.
var streamRows = []Metric{
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
}
