package workload

var nodeBunStreaming = &Source{
	Title: "Node.js (Express + Axios) vs Bun (Hono + fetch) Streaming Benchmark",
	Load:  "files of 8 kB and 200 kB on 50 to 500 connections, 10 s each, with autocannon",
	Remark: "Its figures of Bun on 50 connections contradict each other. At 0.02 ms each, 76,663 requests/s keep 1.5 requests in flight. " +
		"But 50 connections without a pause keep 50 (Little's law). The tool autocannon counts whole milliseconds, so its mean of short requests is too low.",
}

func filesClaims() []Claim {
	const bun, node, rate, failed = "bun-hono-fetch", "node-express-axios", "rate_per_s", "failed_pct"
	of := nodeBunStreaming
	return []Claim{
		claimed(of, bun, node, "stress-8k-50", rate, 7.7, "Bun serves 7.7 times as much on 50 connections."),
		{of, "Bun serves 1.2 to 1.3 times as much on 500 connections, here with 8 kB.", bun, node, "stress-8k-500", rate, 1.2, 1.3},
		{of, "The same, here with 200 kB.", bun, node, "stress-200k-500", rate, 1.2, 1.3},
		{Source: of, Text: "Bun fails requests on 200 connections, here with 8 kB.", Of: bun, Scenario: "stress-8k-200", Metric: failed},
		{Source: of, Text: "The same, here with 200 kB.", Of: bun, Scenario: "stress-200k-200", Metric: failed},
	}
}
