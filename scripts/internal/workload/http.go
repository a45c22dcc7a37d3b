package workload

var httpPaced = append(requestPaced(requestCost),
	Column{"ttft_p50_ms", 2, 1, false},
	Column{"ttft_p95_ms", 2, 1, false},
	Column{"itl_p50_ms", 2, 1, false},
	Column{"itl_p99_ms", 2, 1, false},
)

// http is the workload of everybody's own server: each server.json declares requests and the answers to them.
var _ = register(Workload{
	Name: HTTP, Order: 4, Rounds: 6, Bench: "HTTP", Title: "What servers cost, and how much they serve, with requests of their own", Unit: Request,
	Vital:    []string{"H1", "H2", "H3", "H4", "H5"},
	Declares: true, Mixes: true, Stub: []string{"answers"},
	Scenarios: []Scenario{
		{
			Name: "mixed", Load: "a fixed rate, all servers and `direct` side by side",
			Shows: "CPU time per request, and in a comparison latency (p95)", Columns: httpPaced,
		},
		// Each target has the machine for a slice, so latency is that of a server on its own. The rate is that of
		// mixed, so the level has a name instead of a number.
		{
			Name: "rate", Load: "the same rate, each in its slices; not in a comparison",
			Shows: "latency of a server on its own", Rate: true, Levels: []string{"half"}, Columns: httpPaced,
		},
		// The load fills the machine, so the result is the rate.
		{
			Name: "stress", Load: "as fast as answers come, on so many connections, in slices; a comparison leaves level 10 out",
			Shows: "throughput and peak RSS", Levels: []string{"10", "100", "500"}, Compared: requestCompared, Columns: requestSaturated(ratePerS),
		},
	},
	Soak: Scenario{Name: "soak", Columns: requestPaced(requestCost, requestRSS)},
	Does: "Anything: its `server.json` lists requests and their answers.",

	Cost: requestCost, CostOf: "request", CostIn: []string{"mixed", "soak"},
	Throughput:  ratePerS,
	Leaderboard: append(requestLeaderboard[:len(requestLeaderboard):len(requestLeaderboard)], "ttft_p50_ms", "ttft_p95_ms", "itl_p50_ms", "itl_p99_ms"),
	Charts:      requestCharts("rate-half"),
	// A server.json may have margins of its own.
	Criteria: append(requestCriteria(), requestStreams()...),
})
