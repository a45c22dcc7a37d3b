package workload

var (
	filesSaturated = []string{"8k-100", "200k-100"} // levels of throughput
	filesCompared  = append(filesSaturated[:2:2], "200k-200")
	filesPaced     = requestPaced(byteCost, requestCost)
)

// files is the workload of servers that relay bodies of 8 kB and 200 kB. A level is a size and a number of
// VUs: "8k-100".
var _ = register(Workload{
	Name: "files", Order: 3, Rounds: 6, Bench: "Files", Title: "What servers that relay files cost, and how much they serve", Unit: Request,
	Vital:    []string{"F1", "F2 answers", "F2 exact", "F3"},
	Upstream: true, Stub: []string{"files"},
	Scenarios: []Scenario{
		{
			Name: "small", Load: "files of 8 kB at a fixed rate, all servers and `direct` side by side",
			Shows: "CPU time of a request, and time to the first byte", Columns: filesPaced,
		},
		{
			Name: "large", Load: "files of 200 kB, likewise",
			Shows: "CPU time of a megabyte, which ranks the servers", Columns: filesPaced,
		},
		// The load fills the machine, so the result is the rate.
		{
			Name: "stress", Levels: []string{"8k-50", "8k-100", "8k-200", "8k-500", "200k-50", "200k-100", "200k-200", "200k-500"},
			Compared: filesCompared, Load: "files of 8 kB or 200 kB as fast as answers come, on 50 to 500 connections, in slices",
			Shows: "throughput and peak RSS", Columns: requestSaturated(ratePerS, Column{"body_mb_per_s", 1, 1, false}),
		},
	},
	Soak: Scenario{Name: "soak", Columns: requestPaced(byteCost, requestRSS)},
	Does: "It passes files of 8 kB and 200 kB on from another server.",

	Cost: byteCost, CostOf: "megabyte", CostIn: []string{"large", "soak", "small"},
	Throughput:  ratePerS,
	Leaderboard: requestLeaderboard,
	Charts: []Chart{
		{"stress-8k-100", "rate_x_direct", "x direct", true},
		{"stress-200k-100", "rate_x_direct", "x direct", true},
		{"large", "server_cpu_x_rig", "CPU x rig", true},
		{"large", "ttfb_p95_overhead_ms", "TTFB p95 overhead", true},
		{"stress-200k-200", "server_rss_peak_bytes", "peak RSS", true},
	},
	// TTFB says how long a server holds a body back; the time to the last byte is mostly the upstream's. CPU time and
	// memory of one level scatter by the runs of a garbage collector: in Node.js by 12 % and 5 % from round to round.
	// Over levels under stress they scatter half as much.
	Criteria: []Criterion{
		requestCPU("small", "server_cpu_us_per_request", ""),
		requestLatency("small", "ttfb_p95_ms", ""),
		requestMemory("small", ""),
		requestCPU("large", "server_cpu_us_per_mb", ""),
		requestLatency("large", "ttfb_p95_ms", "latency"),
		requestMemory("large", ""),
		requestSlope("large"),
		requestThroughput(filesSaturated),
		requestTail(filesSaturated),
		overLevels(filesSaturated, requestCPU("stress", "server_cpu_us_per_mb", "CPU")),
		overLevels(filesCompared, requestMemory("stress", "memory")),
	},
	Claims: filesClaims(),
})
