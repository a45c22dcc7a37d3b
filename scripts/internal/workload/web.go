package workload

var webPaced = requestPaced(requestCost)

// web is the workload of servers that answer text, JSON and a file from disk.
var _ = register(Workload{
	Name: "web", Order: 2, Rounds: 6, Bench: "Web", Title: "What web servers cost, and how much they serve", Unit: Request,
	Vital: []string{"W1", "W2", "W3 id", "W4 json", "W5 data"},
	Mixes: true, Stub: []string{"answers"},
	Scenarios: []Scenario{
		{
			Name: "ping", Load: "`GET /` at a fixed rate, all servers and `direct` side by side",
			Shows: "CPU time and latency of the smallest answer", Alone: true, Columns: webPaced,
		},
		{
			Name: "query", Load: "`GET /id/ID?name=NAME`, likewise",
			Shows: "what the router and the query parser add", Alone: true, Columns: webPaced,
		},
		{
			Name: "body", Load: "`POST /json`, likewise",
			Shows: "what parsing and serialising JSON add", Alone: true, Columns: webPaced,
		},
		{
			Name: "disk", Load: "`GET /data`, likewise",
			Shows: "what reading a file adds", Alone: true, Columns: webPaced,
		},
		{
			Name: "mixed", Load: "the four in turn, likewise",
			Shows: "CPU time per request, which ranks the servers", Columns: webPaced,
		},
		// Each target has the machine for a slice, so latency is that of a server on its own.
		{
			Name: "rate", Load: "the four in turn at 1,000 requests/s, each target in its slices",
			Shows: "latency of a server on its own", Rate: true, Levels: []string{"1000"}, Columns: webPaced,
		},
		// The load fills the machine, so the result is the rate.
		{
			Name: "stress", Load: "the four in turn as fast as answers come, on so many connections, in slices",
			Shows: "throughput and peak RSS", Levels: []string{"10", "100", "500"}, Compared: requestCompared, Columns: requestSaturated(ratePerS),
		},
	},
	Soak: Scenario{Name: "soak", Columns: requestPaced(requestCost, requestRSS)},
	Does: "It answers text, a path with a query, JSON, and a file from disk.",

	Cost: requestCost, CostOf: "request", CostIn: []string{"mixed", "soak", "ping", "query", "body", "disk"},
	Throughput:  ratePerS,
	Leaderboard: requestLeaderboard,
	Charts:      requestCharts("rate-1000"),
	Criteria:    requestCriteria(),
	Claims:      webClaims(),
})
