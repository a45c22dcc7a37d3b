package workload

// hello is a workload that a test adds.
var _ = register(Workload{
	Name: "hello", Order: 99, Bench: "Hello", Title: "What a greeting costs", Unit: Request,
	Does: "It greets.",
	Stub: []string{"hello"}, DirectPath: "/hello",
	Scenarios: []Scenario{{
		Name: "calm", Load: "a fixed rate", Shows: "what a greeting costs", Columns: requestPaced(requestCost),
	}},
	Soak: Scenario{Name: "soak", Columns: requestPaced(requestCost, requestRSS)},
	Cost: requestCost, CostOf: "request", CostIn: []string{"calm"},
	Throughput:  ratePerS,
	Leaderboard: requestLeaderboard,
	Charts:      []Chart{{"calm", "server_cpu_us_per_request", "CPU", true}},
	Criteria:    []Criterion{requestCPU("calm", "server_cpu_us_per_request", "CPU")},
})
