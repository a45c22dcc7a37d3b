package record

import "fairstream/scripts/internal/judge/raw"

// requestRows are what only plain requests have. The rate of a slice decides whether two of them exist: late
// and unsent requests.
var requestRows = []Metric{
	{"ttfb_p50_ms", "TTFB p50 ms", "ms", "lower", "k6/x/plain ttfb_us", "time to the answer's complete header, 50th percentile", times(ttfb, p50)},
	{"ttfb_p95_ms", "TTFB p95 ms", "ms", "lower", "k6/x/plain ttfb_us", "time to the answer's complete header, 95th percentile", times(ttfb, p95)},
	{"ttfb_p95_overhead_ms", "TTFB p95 overhead ms", MSOverhead, "lower", "ttfb_p95_ms of both", "time to the answer's complete header less that of direct, 95th percentiles", overhead(ttfb, p95)},
	{"body_mb_per_s", "MB/s", "MB/s", "higher", "k6/x/plain body_bytes, at rate_per_s", "megabytes per second in the bodies of correct answers",
		func(m measured) (float64, bool) {
			return m.load.Rate() * float64(m.load.Counts.Bytes) / float64(m.load.Requests) / 1e6, m.loaded
		}},
	{"late_p99_ms", "late p99 ms", "ms", "lower", "k6/x/plain late_us", "time from the intended start of a request to its first byte, 99th percentile; unknown without a fixed arrival rate", times(late, p99)},
	{"unsent_pct", "unsent %", "%", "lower", "k6/x/plain unsent", "share of the due requests that no connection could send in time; unknown without a fixed arrival rate", unsent},
}

// eventRows are what requests have that are answered with server-sent events.
var eventRows = []Metric{
	{"ttft_p50_ms", "TTFT p50 ms", "ms", "lower", "k6/x/plain ttft_us", "time to the first event of a stream, 50th percentile", times(ttft, p50)},
	{"ttft_p95_ms", "TTFT p95 ms", "ms", "lower", "k6/x/plain ttft_us", "time to the first event of a stream, 95th percentile", times(ttft, p95)},
	{"itl_p50_ms", "ITL p50 ms", "ms", "lower", "k6/x/plain itl_us", "time between two events of a stream, 50th percentile", times(itl, p50)},
	{"itl_p99_ms", "ITL p99 ms", "ms", "lower", "k6/x/plain itl_us", "time between two events of a stream, 99th percentile", times(itl, p99)},
}

// byteRows are the cost of bytes. A workload with bodies of several sizes needs them.
var byteRows = []Metric{
	{"server_cpu_us_per_mb", "CPU us/MB", "us", "lower", "process CPU clock over body_bytes", "CPU time of the server and its children for a megabyte in the bodies of correct answers",
		func(m measured) (float64, bool) {
			used, ok := perRequest(m)
			return used * float64(m.load.Requests) / (float64(m.load.Counts.Bytes) / 1e6), ok
		}},
}

// databaseRows are what servers with a database have.
var databaseRows = []Metric{
	{"first_token_p50_ms", "first token p50 ms", "ms", "lower", "k6/x/plain first_token_us", "time to the first token of a run, 50th percentile", times(firstToken, p50)},
	{"first_token_p95_ms", "first token p95 ms", "ms", "lower", "k6/x/plain first_token_us", "time to the first token of a run, 95th percentile", times(firstToken, p95)},
	{"turn_overhead_p50_ms", "turn overhead p50 ms", "ms", "lower", "clock of the stub", "time between turns of a run: from the last event of the model to the next request, less the slowest tool, 50th percentile", times(turnGap, p50)},
	{"turn_overhead_p95_ms", "turn overhead p95 ms", "ms", "lower", "clock of the stub", "time between turns of a run: from the last event of the model to the next request, less the slowest tool, 95th percentile", times(turnGap, p95)},
	{"fan_out_p50_ms", "fan-out p50 ms", "ms", "lower", "k6/x/plain fan_out_us", "time from an event's arrival at the client of a run to its arrival at a subscriber, 50th percentile", times(fanOut, p50)},
	{"fan_out_p95_ms", "fan-out p95 ms", "ms", "lower", "k6/x/plain fan_out_us", "time from an event's arrival at the client of a run to its arrival at a subscriber, 95th percentile", times(fanOut, p95)},
	{"database_cpu_us_per_request", "DB CPU us/request", "us", "lower", "clocks of the backends of PostgreSQL", "CPU time of the database for one request, in the processes that serve this server",
		func(m measured) (float64, bool) {
			used, ok := m.load.CPUSeconds[raw.Backends(m.target.Name)]
			return 1e6 * used / float64(m.load.Requests), ok && m.load.Failed == 0
		}},
	{"queries_per_request", "queries/request", "queries", "lower", "pg_stat_statements", "statements of the server for one request, over the k6 run",
		func(m measured) (float64, bool) {
			d, n := m.target.Database, m.requestsOf(m.target.Name)
			if d == nil || n == 0 {
				return 0, false
			}
			return float64(d.Queries) / float64(n), true
		}},
}

func firstToken(l raw.Load) *raw.Times { return l.FirstToken }

func fanOut(l raw.Load) *raw.Times { return l.FanOut }

// turnGap is the time of a target between turns.
func turnGap(l raw.Load) *raw.Times { return l.TurnGap }

// unsent is the share of requests that were due and never sent. It tells a server that keeps up from one that
// does not: the rate alone would look the same to the last digit but one.
func unsent(m measured) (float64, bool) {
	if !m.load.Open() {
		return 0, false
	}
	n := float64(*m.load.Unsent)
	return 100 * n / (n + float64(m.load.Counts.Started)), true
}
