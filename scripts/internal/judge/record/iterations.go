package record

// iterationRows are what scripts of servers' own have. Requests are those of HTTP and gRPC, whatever their names.
var iterationRows = []Metric{
	{"request_p50_ms", "request p50 ms", "ms", "lower", "k6's http_req_duration and grpc_req_duration", "time of a request without the connection's begin, 50th percentile over all requests", times(allNamed, p50)},
	{"request_p95_ms", "request p95 ms", "ms", "lower", "k6's http_req_duration and grpc_req_duration", "time of a request without the connection's begin, 95th percentile over all requests", times(allNamed, p95)},
	{"request_p99_ms", "request p99 ms", "ms", "lower", "k6's http_req_duration and grpc_req_duration", "time of a request without the connection's begin, 99th percentile over all requests", times(allNamed, p99)},
	{"unsent_pct", "dropped %", "%", "lower", "k6's dropped_iterations", "share of the iterations that were due, and that no VU was free for", unsent},
}
