package workload

var webPaced = requestPaced(requestCost)

// web is the workload of servers that answer text, JSON and a file from disk.
var _ = register(Workload{
	Name: "web", Order: 2, Bench: "Web", Title: "What web servers cost, and how much they serve", Unit: Request,
	Vital: []string{"W1", "W2", "W3", "W4", "W5"},
	Mixes: true, Stub: []string{"answers"},
	Scenarios: []Scenario{
		{Name: "ping", Alone: true, Columns: webPaced},
		{Name: "query", Alone: true, Columns: webPaced},
		{Name: "body", Alone: true, Columns: webPaced},
		{Name: "disk", Alone: true, Columns: webPaced},
		{Name: "mixed", Columns: webPaced},
		// Each target has the machine for a slice, so latency is that of a server on its own.
		{Name: "rate", Rate: true, Levels: []string{"1000"}, Columns: webPaced},
		// The load fills the machine, so the result is the rate.
		{Name: "stress", Levels: []string{"10", "100", "500"}, Compared: requestCompared, Columns: requestSaturated(ratePerS)},
	},
	Soak: Scenario{Name: "soak", Columns: requestPaced(requestCost, requestRSS)},

	Cost: requestCost, CostOf: "request", CostIn: []string{"mixed", "soak", "ping", "query", "body", "disk"},
	Throughput:  ratePerS,
	Leaderboard: requestLeaderboard,
	Charts:      requestCharts("rate-1000"),
	Criteria:    requestCriteria(),
	Claims:      webClaims(),
})
