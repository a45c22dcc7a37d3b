package workload

var (
	webCompared = []string{"100", "500"} // levels
	webPaced    = requestPaced(requestCost)
)

// web is the workload of servers that answer text, JSON and a file from disk.
var _ = register(Workload{
	Name: "web", Order: 2, Bench: "Web", Title: "What web servers cost, and how much they serve", Unit: Request,
	Stub: "answers",
	Scenarios: []Scenario{
		{Name: "ping", Alone: true, Columns: webPaced},
		{Name: "query", Alone: true, Columns: webPaced},
		{Name: "body", Alone: true, Columns: webPaced},
		{Name: "disk", Alone: true, Columns: webPaced},
		{Name: "mixed", Columns: webPaced},
		// Each target has the machine for a slice, so latency is that of a server on its own.
		{Name: "rate", Rate: true, Levels: []string{"1000"}, Compared: []string{"1000"}, Columns: webPaced},
		// The load fills the machine, so the result is the rate.
		{Name: "stress", Levels: []string{"10", "100", "500"}, Compared: webCompared, Columns: requestSaturated(ratePerS)},
	},
	Soak: Scenario{Name: "soak", Columns: requestPaced(requestCost, requestRSS)},

	Cost: requestCost, CostOf: "request", CostIn: []string{"mixed", "soak", "ping", "query", "body", "disk"},
	Throughput:  ratePerS,
	Leaderboard: requestLeaderboard,
	Charts: []Chart{
		{"stress-100", "rate_x_direct", "x direct", true},
		{"stress-500", "rate_x_direct", "x direct", false},
		{"mixed", "server_cpu_x_rig", "CPU x rig", true},
		{"rate-1000", "request_p95_overhead_ms", "p95 overhead", true},
		{"stress-500", "server_rss_peak_bytes", "peak RSS", true},
	},
	// Side by side the servers compete for the cores, so p95 decides where each has the machine
	// for itself. Throughput and p95 of a level say the same, as in relay.
	Criteria: []Criterion{
		requestCPU("mixed", "server_cpu_us_per_request", "CPU"),
		requestLatency("mixed", "request_p95_ms", ""),
		requestMemory("mixed", ""),
		requestSlope("mixed"),
		requestCPU("rate-1000", "server_cpu_us_per_request", ""),
		requestLatency("rate-1000", "request_p95_ms", "latency"),
		requestThroughput(webCompared),
		requestTail(webCompared),
		requestMemory("stress-100", ""),
		requestMemory("stress-500", "memory"),
	},
})
