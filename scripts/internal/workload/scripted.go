package workload

// Iterations take as long as the script's own pauses, so their cost and the latency of their requests are judged, and not
// their rate.
var scriptedColumns = []Column{
	{"server_cpu_us_per_iteration", 1, 1, true},
	cpuPct,
	{"server_cpu_x_rig", 2, 1, false},
	{"request_p50_ms", 2, 1, false},
	{"request_p95_ms", 2, 1, false},
	{"request_p99_ms", 2, 1, false},
	{"iteration_p95_ms", 1, 1, false},
	{"rate_per_s", 1, 1, false},
	{"unsent_pct", 2, 1, false},
	PeakRSS,
	Deployed,
	FirstAnswer,
}

// scripted is the workload of servers that bring a k6 script of their own. k6 cannot pause a test, so there are no slices, and no
// level that fills the machine.
var _ = register(Workload{
	Name: Scripted, Order: 6, Rounds: 6, Bench: "Scripted", Title: "What servers cost under k6 scripts of their own", Unit: Iteration,
	Vital:    []string{"S1", "S2"},
	Scripted: true, Mixes: true,
	Scenarios: []Scenario{{
		Name: "script", Load: "the script's own load; base and head side by side, with a k6 each",
		Shows: "CPU time per iteration, latency (p95) and peak RSS", Columns: scriptedColumns,
	}},
	Soak: Scenario{Name: "soak", Columns: scriptedColumns},
	Does: "Anything: its `server.json` names a k6 script that you have.",

	Cost: scriptedColumns[0], CostOf: "iteration", CostIn: []string{"script"},
	Throughput:  ratePerS,
	Leaderboard: []string{"rate_per_s", "request_p50_ms", "request_p95_ms", "request_p99_ms", "iteration_p95_ms", "server_cpu_us_per_iteration", "server_rss_peak_bytes"},
	Charts: []Chart{
		{"script", "server_cpu_us_per_iteration", "CPU us/iteration", true},
		{"script", "request_p95_ms", "request p95", true},
		{"script", "server_rss_peak_bytes", "peak RSS", true},
	},
	Criteria: []Criterion{
		requestCPU("script", "server_cpu_us_per_iteration", "CPU"),
		// A script of another protocol has no HTTP requests. Then its iterations stand for them.
		optional(requestLatency("script", "request_p95_ms", "latency")),
		requestLatency("script", "iteration_p95_ms", ""),
		requestMemory("script", "memory"),
	},
})

func optional(c Criterion) Criterion {
	c.Optional = true
	return c
}
