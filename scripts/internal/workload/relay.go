package workload

var (
	relayCost = Column{"server_cpu_us_per_stream", 0, 1, true}

	relayCompared = []string{"100", "200"} // levels

	relayStress = "as many VUs as the level says; tokens 1 ms apart; targets take short slices, in random order"

	// Paced scenarios fix the rate, so the results are cost and latency.
	relayPaced = []Column{
		relayCost,
		cpuPct,
		{"server_cpu_x_rig", 2, 1, false},
		{"ttft_p95_ms", 2, 1, false},
		{"ttft_p95_overhead_ms", 2, 1, false},
		{"itl_p99_overhead_ms", 2, 1, false},
		{"token_delay_p50_ms", 2, 1, false},
		{"token_delay_p50_overhead_ms", 2, 1, false},
		PeakRSS,
		{"rate_per_s", 1, 1, false},
		{"stream_mean_ms", 1, 1, false},
		{"stream_p95_ms", 1, 1, false},
		failedPct,
		Deployed,
		FirstAnswer,
	}
)

// relay is the workload of servers that pass on a model's tokens.
var _ = register(Workload{
	Name: Relay, Order: 1, Rounds: 3, Bench: "Chat", Title: "What servers that proxy LLM token streams cost, and how much they serve", Unit: Stream,
	Vital:    []string{"C1", "C2", "C3 exact", "C3 message", "C4"},
	Upstream: true, StubPath: "/v1", Stub: []string{"relay"}, Beside: 8, Path: "/chat", DirectPath: "/v1/chat/completions",
	Scenarios: []Scenario{
		{
			Name: "baseline", Columns: relayPaced,
			Load:  "10 VUs for each target, side by side, for 8 s; tokens 50 ms apart",
			Shows: "how long a server delays a token on an idle machine",
		},
		{
			Name: "steady", Columns: relayPaced,
			Load:  "20 VUs for each target, side by side, for 17 s; tokens 10 ms apart; two cores are about 60 % busy, and servers beyond eight share that",
			Shows: "how much CPU time a stream costs",
		},
		// The load fills the machine, so the result is the rate.
		{Name: "stress", Levels: []string{"10", "100", "200"}, Compared: relayCompared, Load: relayStress, Shows: "how many streams a full machine serves", Columns: []Column{
			ratePerS,
			{"rate_x_direct", 2, 1, false},
			{"stream_mean_ms", 1, 1, false},
			{"stream_p50_ms", 1, 1, false},
			{"stream_p95_ms", 1, 1, false},
			{"stream_p99_ms", 1, 1, false},
			{"stream_max_ms", 1, 1, false},
			relayCost,
			cpuPct,
			{"server_share_pct", 0, 1, false},
			PeakRSS,
			failedPct,
			Deployed,
			FirstAnswer,
		}},
	},
	Soak: Scenario{Name: "soak", Load: "30 VUs as in steady, for ten minutes", Shows: "whether memory grows", Columns: append(relayPaced[:len(relayPaced):len(relayPaced)], Column{"server_rss_slope_bytes_per_stream", 1, 1, false})},
	Does: "It takes `POST /chat`, asks an OpenAI-style API, and passes the answer on, token by token.",

	Cost: relayCost, CostOf: "stream", CostIn: []string{"steady", "soak", "baseline"},
	Throughput: ratePerS,
	Leaderboard: []string{
		"rate_per_s", "rate_x_direct", "stream_mean_ms", "stream_p50_ms", "stream_p95_ms", "stream_p99_ms", "stream_max_ms",
		"ttft_p50_ms", "ttft_p95_ms", "ttft_p95_overhead_ms", "itl_p99_ms", "itl_p99_overhead_ms",
		"server_cpu_mean_pct", "server_cpu_us_per_stream", "server_cpu_x_rig", "server_rss_peak_bytes", "server_rss_mean_bytes",
		"failed_pct", "server_share_pct", "deployed_bytes", "first_answer_ms",
	},
	Charts: []Chart{
		{"stress-100", "rate_x_direct", "x direct", true},
		{"stress-200", "rate_x_direct", "x direct", false},
		{"steady", "server_cpu_x_rig", "CPU x rig", true},
		{"baseline", "ttft_p95_overhead_ms", "TTFT p95 overhead", true},
		{"stress-200", "server_rss_peak_bytes", "peak RSS", true},
	},
	// Under paced load throughput is the stub's pace and says nothing about a server. Under
	// stress the processes compete for the cores, so the cost of a stream and TTFT say more
	// about that competition than about the server. Throughput and p95 of a level say the same
	// (r = -0.87), and each is one cell over both levels, because one level alone is too noisy.
	Criteria: []Criterion{
		relayCPU("baseline", ""),
		relayTTFT("baseline", "latency"),
		relayITL("baseline"),
		relayRSS("baseline", ""),
		relaySlope("baseline"),
		relayCPU("steady", "CPU"),
		relayTTFT("steady", ""),
		relayITL("steady"),
		relayRSS("steady", ""),
		relaySlope("steady"),
		{Scenario: "stress", Levels: relayCompared, Metric: "rate_per_s", Floor: 0.015, Margin: 0.03, Decides: "throughput"}, // as CPU
		{Scenario: "stress", Levels: relayCompared, Metric: "stream_p95_ms", Floor: 0.03, Margin: 0.10},                      // VUs over rate, and the tail: twice the floor of the rate
		relayRSS("stress-100", ""),
		relayRSS("stress-200", "memory"),
	},
})

// The same code laid out in another way may cost 1.5 % more or less.
func relayCPU(scenario, decides string) Criterion {
	return Criterion{Scenario: scenario, Metric: "server_cpu_us_per_stream", Floor: 0.015, Margin: 0.03, Decides: decides}
}

// The sd of TTFT from start to start is half of the floor, and nobody notices less than a
// twentieth of a delay.
func relayTTFT(scenario, decides string) Criterion {
	return Criterion{Scenario: scenario, Metric: "ttft_p95_ms", Floor: 0.05, Margin: 0.10, Decides: decides}
}

// ITL is nearly all pace: a hundredth of 50 ms is half a millisecond.
func relayITL(scenario string) Criterion {
	return Criterion{Scenario: scenario, Metric: "itl_p99_ms", Floor: 0.01, Margin: 0.02}
}

// A collector that runs a moment earlier holds 1.5 % less.
func relayRSS(scenario, decides string) Criterion {
	return Criterion{Scenario: scenario, Metric: "server_rss_peak_bytes", Floor: 0.015, Margin: 0.05, Decides: decides}
}

// 16 bytes of each stream are a gigabyte in 67 million streams.
func relaySlope(scenario string) Criterion {
	return Criterion{Scenario: scenario, Metric: "server_rss_slope_bytes_per_stream", Floor: 16, Margin: 64, Absolute: true, Optional: true}
}
