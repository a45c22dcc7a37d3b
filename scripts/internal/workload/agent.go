package workload

import "slices"

var (
	agentCost   = requestCost // of a run
	agentLevels = []string{"16", "32"}
	agentPaced  = slices.Concat(requestPaced(agentCost), agentDatabase)
	// Costs of a run outside the server.
	agentDatabase = []Column{
		{"ttft_p95_ms", 2, 1, false},
		{"first_token_p95_ms", 2, 1, false},
		{"turn_overhead_p95_ms", 3, 1, false},
		{"database_cpu_us_per_request", 0, 1, false},
		{"queries_per_request", 1, 1, false},
	}
)

// agent is the workload of servers that keep threads in a database and run agents on them. A request is a run.
var _ = register(Workload{
	Name: "agent", Order: 5, Rounds: 6, Bench: "Agent", Title: "What runs of agents cost, and how many servers do", Unit: Request,
	Vital:    []string{"A1", "A2 threads", "A3 answers", "A3 lock-step", "A3 events", "A4 tools", "A5 agents"},
	Upstream: true, StubPath: "/agent", Stub: []string{"agent", "answers"}, Database: true, Beside: 3,
	Scenarios: []Scenario{
		{
			Name: "turn", Load: "runs of one turn at a fixed rate, all servers and `direct` side by side",
			Shows: "CPU time of a run: load 20 messages, ask the model, store two", Columns: agentPaced,
		},
		{
			Name: "tools", Load: "runs of three turns, likewise; two turns call two tools each",
			Shows: "what turns and tools add, and the server's own time between turns", Columns: agentPaced,
		},
		{
			Name: "tokens", Load: "runs of one turn with 200 tokens instead of 20, likewise",
			Shows: "what a token adds", Alone: true, Columns: agentPaced,
		},
		{
			Name: "waits", Load: "runs of one turn of 200 tokens, likewise; the model says the first after 300 ms, and each other 20 ms later",
			Shows: "time to the first token and to the end, as a user feels them", Alone: true, Columns: agentPaced,
		},
		{
			Name: "agents", Load: "runs that delegate to two agents, likewise",
			Shows: "what an agent adds", Alone: true, Columns: agentPaced,
		},
		{
			Name: "threads", Load: "create, list, read, rename, delete and read messages, likewise",
			Shows: "CPU time and latency without a model", Alone: true, Columns: agentPaced,
		},
		{
			Name: "fanout", Load: "a run that 50 subscribers follow, again and again, likewise",
			Shows: "CPU time of a subscription, and how much later an event comes to a subscriber than to the client of the run", Alone: true, Columns: slices.Concat(agentPaced, []Column{{"fan_out_p50_ms", 3, 1, false}, {"fan_out_p95_ms", 3, 1, false}}),
		},
		// The load fills the machine, so the result is the rate.
		{
			Name: "stress", Load: "runs of two turns with two tools as fast as answers come, on that many connections, in slices",
			Shows: "throughput and peak RSS", Levels: []string{"4", "16", "32"}, Compared: agentLevels, Columns: requestSaturated(ratePerS),
		},
	},
	Soak: Scenario{Name: "soak", Columns: slices.Concat(requestPaced(agentCost, requestRSS), agentDatabase)},
	Does: "It keeps threads in PostgreSQL, runs agents with tools on them, and streams the events to all that follow.",

	Cost: agentCost, CostOf: "run", CostIn: []string{"turn", "tools", "tokens", "agents", "soak"},
	Throughput: ratePerS,
	Parts: []Part{
		{"run of one turn, CPU us", agentCost, "turn", "", 1},
		{"each more turn with two tools, CPU us", agentCost, "tools", "turn", 2},
		{"each more token, CPU us", agentCost, "tokens", "turn", 180},
		{"each agent, CPU us", agentCost, "agents", "turn", 2},
		{"each subscriber, CPU us", agentCost, "fanout", "", 1},
		// A run of tools stores eight messages, and one of turn stores two.
		{"each stored message, CPU us of the database", Column{"database_cpu_us_per_request", 0, 1, true}, "tools", "turn", 6},
	},
	Frameworks: agentFrameworks, Additions: agentAdditions,
	Leaderboard: slices.Concat(requestLeaderboard, []string{"ttft_p50_ms", "ttft_p95_ms", "first_token_p50_ms", "first_token_p95_ms", "turn_overhead_p50_ms", "turn_overhead_p95_ms", "fan_out_p50_ms", "fan_out_p95_ms", "database_cpu_us_per_request", "queries_per_request"}),
	Charts: []Chart{
		{"stress-16", "rate_per_s", "runs/s", true},
		{"turn", "server_cpu_us_per_request", "CPU us/run", true},
		{"tools", "turn_overhead_p95_ms", "turn overhead p95", true},
		{"stress-32", "server_rss_peak_bytes", "peak RSS", true},
	},
	Criteria: []Criterion{
		requestCPU("turn", "server_cpu_us_per_request", "CPU"),
		requestLatency("turn", "ttft_p95_ms", ""),
		requestMemory("turn", ""),
		{Scenario: "turn", Metric: "database_cpu_us_per_request", Floor: 0.03, Margin: 0.10},
		// Queries are those of the whole k6 run, whose mix of runs depends a little on throughput.
		{Scenario: "turn", Metric: "queries_per_request", Floor: 0.05, Margin: 0.10, Decides: "queries"},
		requestCPU("tools", "server_cpu_us_per_request", ""),
		requestLatency("tools", "turn_overhead_p95_ms", "latency"),
		requestMemory("tools", ""),
		requestThroughput(agentLevels),
		requestTail(agentLevels),
		requestMemory("stress-16", ""),
		requestMemory("stress-32", "memory"),
	},
})
