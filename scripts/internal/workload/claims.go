package workload

// A Source is somebody else's measurement of servers like those of a workload.
type Source struct {
	Title  string
	URL    string // "" if we know none
	Load   string // the load there
	Remark string // what else a reader should know
}

// A Claim is what a source says of a server, or of one server against another. Our figure of it is a metric in
// a scenario.
type Claim struct {
	Source *Source
	Text   string
	Of     string
	Than   string // "": the figure of Of itself is claimed to be above 0

	Scenario, Metric string

	// Low and High are the claimed ratio of Of to Than in this metric. They differ where the source says a range.
	// 1 says that both are the same.
	Low, High float64
}

// claimed is a claim with one ratio.
func claimed(s *Source, of, than, scenario, metric string, ratio float64, text string) Claim {
	return Claim{Source: s, Text: text, Of: of, Than: than, Scenario: scenario, Metric: metric, Low: ratio, High: ratio}
}

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

// https://github.com/peterbe/go-bun-compare/blob/762c518167c8e4053d5579c6a1fcf8576d8f0997/README.md
var goBunCompare = &Source{
	Title: "go-bun-compare", URL: "https://github.com/peterbe/go-bun-compare",
	Load: "one text on 10 or 100 connections, with oha, on an M4 MacBook Pro; Bun 1.3.0 and Go 1.25.3",
	Remark: "It also says that a built Go program is as fast as `go run`. Both start the same program, so we measure only the built one. " +
		"Its rates with a file read on each request stand beside our CPU time for such a request, turned around.",
}

// https://github.com/RichardsCoffeeShop/bun-http-framework-benchmark-microservies/blob/7606e39e4b2fd38a7915290cc4fc2f6c613445b6/README.md
var bunMicroservices = &Source{
	Title: "Bun HTTP Framework Benchmark Microservices", URL: "https://github.com/RichardsCoffeeShop/bun-http-framework-benchmark-microservies",
	Load:   "ping, query and body on 500 connections, one after the other, with bombardier; the claim is the mean of their rates; Bun 1.3.13",
	Remark: "Its server without a framework cuts the query out of the URL. The contract of this workload forbids that.",
}

// webClaims has the figures of the sources: requests/s, kB and MB.
func webClaims() []Claim {
	const rate, memory, size, cost = "rate_per_s", "server_rss_peak_bytes", "deployed_bytes", "server_cpu_us_per_request"
	of := goBunCompare
	claims := []Claim{
		claimed(of, "bun-compiled", "go-fasthttp", "stress-10", rate, 77118.8624/67522.5031, "Bun serves more than Go's fasthttp on 10 connections."),
		claimed(of, "bun-compiled", "go-fasthttp", "stress-100", rate, 76791.7434/67998.6526, "Bun serves more than fasthttp on 100 connections."),
		claimed(of, "bun-compiled", "go-fasthttp", "stress-100", memory, 9921.0/7264, "Bun's peak memory is higher."),
		claimed(of, "bun-compiled", "go-fasthttp", "stress-100", size, 58/7.1, "Bun's program is larger."),
		claimed(of, "bun-compiled", "bun-script", "stress-100", rate, 84457.0669/81811.8460, "Compiled, Bun is 3 % faster."),
		claimed(of, "go-fasthttp", "bun-compiled", "disk", cost, 58711.0603/62050.8071, "With a file read on each request, fasthttp is ahead."),
		claimed(of, "python-starlette", "python-flask", "stress-100", rate, 15896.2157/9564.5005, "Starlette serves more than Flask with 8 workers."),
		claimed(of, "node-fastify", "go-fasthttp", "stress-100", rate, 1, "Fastify on Node serves about the same as fasthttp."),
		claimed(of, "node-fastify", "go-fasthttp", "stress-100", memory, 71.0*1024/7264, "Fastify on Node needs far more memory."),
	}
	// In the order of the source.
	averages := []struct {
		server string
		rate   float64
	}{
		{"bun-elysia-single", 122_691.147},
		{"bun-elysia-monorepo-functions", 115_398.22},
		{"bun-http", 111_254.237},
		{"bun-web-standard", 93_584.12},
		{"bun-fastify", 62_865.347},
		{"bun-elysia-monorepo-instances", 58_434.02},
		{"bun-elysia-microservices-in-process", 42_286.44},
		{"bun-express", 39_130.66},
		{"bun-elysia-microservices-network", 13_277.577},
	}
	for i, next := range averages[1:] {
		claims = append(claims, claimed(bunMicroservices, averages[i].server, next.server, "stress-500", rate, averages[i].rate/next.rate,
			averages[i].server+" serves more than "+next.server+"."))
	}
	first, last := averages[0], averages[len(averages)-1]
	return append(claims, claimed(bunMicroservices, first.server, last.server, "stress-500", rate, first.rate/last.rate,
		"One instance serves many times as much as services behind a network."))
}
