package workload

var (
	httpCost  = Column{"server_cpu_us_per_request", 1, 1, true}
	httpRate  = Column{"rate_per_s", 0, 1, true}
	httpPaced = []Column{
		httpCost,
		{"server_cpu_mean_pct", 1, 1, false},
		{"server_cpu_x_rig", 2, 1, false},
		{"request_p50_ms", 3, 1, false},
		{"request_p95_ms", 3, 1, false},
		{"request_p99_ms", 2, 1, false},
		{"request_p95_overhead_ms", 3, 1, false},
		{"ttfb_p95_ms", 3, 1, false},
		{"server_rss_peak_bytes", 1, 1e-6, false},
		{"rate_per_s", 1, 1, false},
		{"unsent_pct", 2, 1, false},
		{"failed_pct", 2, 1, false},
		{"deployed_bytes", 1, 1e-6, false},
		{"first_answer_ms", 1, 1, false},
	}
	httpCompared = []string{"100", "500"} // levels
)

// http is the workload of everybody's own server: each server.json declares requests and their answers.
var _ = register(Workload{
	Name: "http", Unit: Request, Declares: true, Stub: "answers",
	Scenarios: []Scenario{
		{Name: "mixed", Columns: httpPaced},
		// Each target has the machine for a slice, so latency is that of a server on its own. The rate is that of
		// mixed, at which the machine is about half busy.
		{Name: "rate", Levels: []string{"half"}, Compared: []string{"half"}, Columns: httpPaced},
		// The load fills the machine, so the result is the rate.
		{Name: "stress", Levels: []string{"10", "100", "500"}, Compared: httpCompared, Columns: []Column{
			httpRate,
			{"rate_x_direct", 2, 1, false},
			{"request_mean_ms", 2, 1, false},
			{"request_p50_ms", 2, 1, false},
			{"request_p95_ms", 2, 1, false},
			{"request_p99_ms", 2, 1, false},
			{"request_max_ms", 1, 1, false},
			httpCost,
			{"server_cpu_mean_pct", 1, 1, false},
			{"server_share_pct", 0, 1, false},
			{"server_rss_peak_bytes", 1, 1e-6, false},
			{"failed_pct", 2, 1, false},
			{"deployed_bytes", 1, 1e-6, false},
			{"first_answer_ms", 1, 1, false},
		}},
	},
	Soak: Scenario{Name: "soak", Columns: append(httpPaced[:len(httpPaced):len(httpPaced)], Column{"server_rss_slope_bytes_per_request", 1, 1, false})},

	Cost: httpCost, CostIn: []string{"mixed", "soak"},
	Throughput: httpRate,
	Leaderboard: []string{
		"rate_per_s", "rate_x_direct", "request_mean_ms", "request_p50_ms", "request_p95_ms", "request_p99_ms", "request_max_ms",
		"request_p95_overhead_ms", "ttfb_p50_ms", "ttfb_p95_ms", "ttfb_p95_overhead_ms", "body_mb_per_s", "unsent_pct",
		"server_cpu_mean_pct", "server_cpu_us_per_request", "server_cpu_us_per_mb", "server_cpu_x_rig", "server_rss_peak_bytes", "server_rss_mean_bytes",
		"failed_pct", "server_share_pct", "deployed_bytes", "first_answer_ms",
	},
	Charts: []Chart{
		{"stress-100", "rate_per_s", "rate", true},
		{"stress-500", "rate_per_s", "rate", false},
		{"mixed", "server_cpu_us_per_request", "CPU", true},
		{"rate-half", "request_p95_ms", "p95", true},
		{"stress-500", "server_rss_peak_bytes", "peak RSS", true},
	},
	// Floors are those of the other workloads: the same code laid out in another way may cost 1.5 % more or less, and
	// a start may differ from the next by half of the floor of a delay. Margins may be a server's own.
	Criteria: []Criterion{
		{Scenario: "mixed", Metric: "server_cpu_us_per_request", Floor: 0.015, Margin: 0.03, Decides: "CPU"},
		{Scenario: "mixed", Metric: "request_p95_ms", Floor: 0.05, Margin: 0.10},
		{Scenario: "mixed", Metric: "server_rss_peak_bytes", Floor: 0.015, Margin: 0.05},
		{Scenario: "mixed", Metric: "server_rss_slope_bytes_per_request", Floor: 16, Margin: 64, Absolute: true},
		{Scenario: "rate-half", Metric: "server_cpu_us_per_request", Floor: 0.015, Margin: 0.03},
		{Scenario: "rate-half", Metric: "request_p95_ms", Floor: 0.05, Margin: 0.10, Decides: "latency"},
		{Scenario: "stress", Levels: httpCompared, Metric: "rate_per_s", Floor: 0.015, Margin: 0.03, Decides: "throughput"},
		{Scenario: "stress", Levels: httpCompared, Metric: "request_p95_ms", Floor: 0.03, Margin: 0.10},
		{Scenario: "stress-100", Metric: "server_rss_peak_bytes", Floor: 0.015, Margin: 0.05},
		{Scenario: "stress-500", Metric: "server_rss_peak_bytes", Floor: 0.015, Margin: 0.05, Decides: "memory"},
	},
})
