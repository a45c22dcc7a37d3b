package record

// streamRows are what only streams of tokens have.
var streamRows = []Metric{
	{"ttft_p50_ms", "TTFT p50 ms", "ms", "lower", "k6/x/sse ttft_us", "time to first token, from the request's first byte, 50th percentile", times(ttft, p50)},
	{"ttft_p95_ms", "TTFT p95 ms", "ms", "lower", "k6/x/sse ttft_us", "time to first token, from the request's first byte, 95th percentile", times(ttft, p95)},
	{"ttft_p50_overhead_ms", "TTFT p50 overhead ms", MSOverhead, "lower", "ttft_p50_ms of both", "time to first token less that of direct, 50th percentiles", overhead(ttft, p50)},
	{"ttft_p95_overhead_ms", "TTFT p95 overhead ms", MSOverhead, "lower", "ttft_p95_ms of both", "time to first token less that of direct, 95th percentiles", overhead(ttft, p95)},
	{"itl_p50_ms", "ITL p50 ms", "ms", "", "k6/x/sse itl_us", "time between two tokens, 50th percentile; the stub's pace when nothing delays the tokens", times(itl, p50)},
	{"itl_p99_ms", "ITL p99 ms", "ms", "lower", "k6/x/sse itl_us", "time between two tokens, 99th percentile", times(itl, p99)},
	{"itl_p99_overhead_ms", "ITL p99 overhead ms", MSOverhead, "lower", "itl_p99_ms of both", "time between two tokens less that of direct, 99th percentiles", overhead(itl, p99)},
	{"token_delay_p50_ms", "token delay p50 ms", "ms", "lower", "k6/x/sse token_delay_us", "time from the stub's sending of a token to its arrival at k6, 50th percentile", times(tokenDelay, p50)},
	{"token_delay_p99_ms", "token delay p99 ms", "ms", "lower", "k6/x/sse token_delay_us", "time from the stub's sending of a token to its arrival at k6, 99th percentile", times(tokenDelay, p99)},
	{"token_delay_p50_overhead_ms", "forwarding delay p50 ms", MSOverhead, "lower", "token_delay_p50_ms of both", "token delay less that of direct, 50th percentiles", overhead(tokenDelay, p50)},
}
