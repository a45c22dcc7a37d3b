package workload

var (
	httpCompared = []string{"100", "500"} // levels
	httpPaced    = requestPaced(requestCost)
)

// http is the workload of everybody's own server: each server.json declares requests and the answers to them.
var _ = register(Workload{
	Name: "http", Order: 4, Bench: "HTTP", Title: "What servers cost, and how much they serve, with requests of their own", Unit: Request,
	Declares: true, Stub: "answers",
	Scenarios: []Scenario{
		{Name: "mixed", Columns: httpPaced},
		// Each target has the machine for a slice, so latency is that of a server on its own. The rate is that of
		// mixed, so the level has a name instead of a number.
		{Name: "rate", Rate: true, Levels: []string{"half"}, Compared: []string{"half"}, Columns: httpPaced},
		// The load fills the machine, so the result is the rate.
		{Name: "stress", Levels: []string{"10", "100", "500"}, Compared: httpCompared, Columns: requestSaturated(ratePerS)},
	},
	Soak: Scenario{Name: "soak", Columns: requestPaced(requestCost, requestRSS)},

	Cost: requestCost, CostOf: "request", CostIn: []string{"mixed", "soak"},
	Throughput:  ratePerS,
	Leaderboard: requestLeaderboard,
	Charts: []Chart{
		{"stress-100", "rate_x_direct", "x direct", true},
		{"stress-500", "rate_x_direct", "x direct", false},
		{"mixed", "server_cpu_x_rig", "CPU x rig", true},
		{"rate-half", "request_p95_overhead_ms", "p95 overhead", true},
		{"stress-500", "server_rss_peak_bytes", "peak RSS", true},
	},
	// As in web. A server.json may have margins of its own.
	Criteria: []Criterion{
		requestCPU("mixed", "server_cpu_us_per_request", "CPU"),
		requestLatency("mixed", "request_p95_ms", ""),
		requestMemory("mixed", ""),
		requestSlope("mixed"),
		requestCPU("rate-half", "server_cpu_us_per_request", ""),
		requestLatency("rate-half", "request_p95_ms", "latency"),
		requestThroughput(httpCompared),
		requestTail(httpCompared),
		requestMemory("stress-100", ""),
		requestMemory("stress-500", "memory"),
	},
})
