package workload

// Floors and margins of workloads of requests are those of relay. In 24 comparisons of a program
// with itself no deciding cell was off by more than its scatter explains: 1.3 % at three standard
// errors was the most (judge/prove/patched).

func requestCPU(scenario, metric, decides string) Criterion {
	return Criterion{Scenario: scenario, Metric: metric, Floor: 0.015, Margin: 0.03, Decides: decides}
}

func requestLatency(scenario, metric, decides string) Criterion {
	return Criterion{Scenario: scenario, Metric: metric, Floor: 0.05, Margin: 0.10, Decides: decides}
}

func requestMemory(scenario, decides string) Criterion {
	return Criterion{Scenario: scenario, Metric: "server_rss_peak_bytes", Floor: 0.015, Margin: 0.05, Decides: decides}
}

// overLevels makes one cell of several levels.
func overLevels(levels []string, c Criterion) Criterion {
	c.Levels = levels
	return c
}

func requestThroughput(levels []string) Criterion {
	return Criterion{Scenario: "stress", Levels: levels, Metric: "rate_per_s", Floor: 0.015, Margin: 0.03, Decides: "throughput"}
}

// The tail of a full machine: twice the floor of the rate.
func requestTail(levels []string) Criterion {
	return Criterion{Scenario: "stress", Levels: levels, Metric: "request_p95_ms", Floor: 0.03, Margin: 0.10}
}

// 16 bytes of each request are a gigabyte in 67 million requests.
func requestSlope(scenario string) Criterion {
	return Criterion{Scenario: scenario, Metric: "server_rss_slope_bytes_per_request", Floor: 16, Margin: 64, Absolute: true, Optional: true}
}

// Only servers whose answers are streams have these cells.
func requestStreams() []Criterion {
	return []Criterion{
		{Scenario: "mixed", Metric: "ttft_p95_ms", Floor: 0.05, Margin: 0.10, Optional: true},
		{Scenario: "mixed", Metric: "itl_p99_ms", Floor: 0.05, Margin: 0.10, Optional: true},
	}
}

// Workloads whose servers answer by themselves are charted and judged alike. They have the scenarios mixed, rate
// and stress. rate is the record of rate: its level differs.

// requestCompared are the levels of stress in a comparison.
var requestCompared = []string{"100", "500"}

func requestCharts(rate string) []Chart {
	return []Chart{
		{"stress-100", "rate_x_direct", "x direct", true},
		{"stress-500", "rate_x_direct", "x direct", false},
		{"mixed", "server_cpu_x_rig", "CPU x rig", true},
		{rate, "request_p95_overhead_ms", "p95 overhead", true},
		{"stress-500", "server_rss_peak_bytes", "peak RSS", true},
	}
}

// requestCriteria judge p95 in mixed, where base and head share the instants. There it scatters by 2 % from round to
// round, and by 6 to 15 % where each has the machine for a slice. Throughput and p95 of a level say the same, as in relay.
func requestCriteria() []Criterion {
	return []Criterion{
		requestCPU("mixed", "server_cpu_us_per_request", "CPU"),
		requestLatency("mixed", "request_p95_ms", "latency"),
		requestMemory("mixed", ""),
		requestSlope("mixed"),
		requestThroughput(requestCompared),
		requestTail(requestCompared),
		requestMemory("stress-100", ""),
		requestMemory("stress-500", "memory"),
	}
}
