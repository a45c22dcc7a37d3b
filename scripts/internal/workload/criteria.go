package workload

// Floors and margins of workloads of requests are those of relay. Nobody has measured yet how much
// two starts of one program differ in them.

func requestCPU(scenario, metric, decides string) Criterion {
	return Criterion{Scenario: scenario, Metric: metric, Floor: 0.015, Margin: 0.03, Decides: decides}
}

func requestLatency(scenario, metric, decides string) Criterion {
	return Criterion{Scenario: scenario, Metric: metric, Floor: 0.05, Margin: 0.10, Decides: decides}
}

func requestMemory(scenario, decides string) Criterion {
	return Criterion{Scenario: scenario, Metric: "server_rss_peak_bytes", Floor: 0.015, Margin: 0.05, Decides: decides}
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
	return Criterion{Scenario: scenario, Metric: "server_rss_slope_bytes_per_request", Floor: 16, Margin: 64, Absolute: true}
}
