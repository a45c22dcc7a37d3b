package verify

import "context"

// Checks lists all checks in the order of the contract's clauses. The longest comes early, since the others
// run beside it. No check can run without the first two.
//
// Packets that end inside an event come without chunked coding. Some clients wait for a whole chunk, and
// would hide the end of a packet from the server.
var Checks = []Check{
	{"C1", ready, true, "GET /healthz answers 200 within 5 s", func(context.Context, *subject) error { return nil }},
	{"C2", header, true, "POST /chat answers 200 text/event-stream, chunked, without a Content-Length or an encoding", answers},
	{"C7", "slow-upstream", true, "12 s of silence do not end a stream", slowIsNotDead},
	{"C3", "exact", true, "upstream bytes arrive unchanged", unchanged("@tokens=50 @itl=0s")},
	{"C3", "message", true, "the upstream request is a streamed completion of the message as it was given", messageFidelity},
	{"C3", "tricky", true, "content that looks like an event, an end or a line break arrives unchanged", unchanged("@tokens=5 @itl=50ms @text=tricky @size=200")},
	{"C3", "big", true, "an event of 1 MB arrives unchanged", unchanged("@tokens=2 @itl=0s @size=1000000")},
	{"C3", "1-byte", true, "an upstream that writes byte by byte arrives unchanged", unchanged("@tokens=5 @itl=0s @write=1")},
	{"C3", "2.5-events", true, "an upstream that writes two and a half events at a time arrives unchanged", unchanged("@tokens=6 @itl=50ms @packet=2.5 @close=1")},
	{"C3", "split-character", true, "an upstream that pauses inside a character arrives unchanged", unchanged("@tokens=6 @itl=50ms @packet=0.5 @text=utf8 @size=200 @close=1")},
	{"C3", "comments", true, "comments between events do no harm", unchanged("@tokens=5 @itl=0s @comments=1")},
	{"C3", "crlf", false, "lines that end in CRLF arrive unchanged", unchanged("@tokens=5 @itl=0s @lines=crlf")},
	{"C3", "close-delimited", true, "an upstream body that ends with its connection arrives unchanged", unchanged("@tokens=5 @itl=0s @close=1")},
	{"C3", "chunk-trailers", true, "upstream chunk extensions and trailers do no harm", unchanged("@tokens=5 @itl=0s @trailers=1")},
	{"C3", "cut", true, "an upstream that is cut is not given a clean end", truncated("@cut=5", false)},
	{"C3", "no-done", true, "an upstream that ends without [DONE] is not given one", truncated("@end=5", true)},
	{"C3", "error-event", true, "an error event is passed on, and no [DONE] is invented", truncated("@error=5", true)},
	{"C4", "lock-step", true, "each event arrives before the stub has the next", lockStep(1, "@size=1", "")},
	{"C4", "lock-step-big", true, "the same with tokens of 3 KB", lockStep(1, "@size=3000", "")},
	{"C4", "lock-step-reused", true, "the same on the third request of a connection", lockStep(3, "@size=16", "")},
	{"C4", "lock-step-gzip", true, "the same for a client that accepts gzip", lockStep(1, "@size=16", "Accept-Encoding: gzip, br\r\n")},
	{"C4", "lock-step-200", true, "the same on 200 streams at once", lockStepCrowd},
	{"C4", "awake", true, "the server never sleeps on an event that it has read and not written, be it for some milliseconds", awake},
	// Nagle's algorithm delays tokens by up to a delayed acknowledgement. It loses none, and the delay is
	// measured, so the check is optional.
	{"C4", "nodelay", false, "TCP_NODELAY is set on connections from clients", noDelay(false)},
	{"C4", "nodelay-upstream", false, "TCP_NODELAY is set on connections to the upstream", noDelay(true)},
	{"C4", "early-header", false, "the header arrives before the first event", earlyHeader},
	{"C5", "leave-mid-stream", true, "a client that leaves mid-stream ends the upstream request", leave("@hold=1", 5)},
	{"C5", "leave-before-token", true, "so does one that leaves before the first event", leave("@hold=1", 0)},
	{"C5", "leave-before-header", true, "so does one that leaves before the upstream's headers", leave("@headers=1h", 0)},
	{"C6", "refused", true, "an upstream that gives no answer is a 502 or 503 with JSON, and the next request works", upstreamFails("@refuse=1")},
	{"C6", "status-500", true, "so is one that answers 500", upstreamFails("@status=500")},
	{"C6", "status-429", true, "so is one that answers 429", upstreamFails("@status=429")},
	{"C6", "not-sse", true, "so is one that does not stream", upstreamFails("@json=1")},
	{"C6", "bad-input", true, "bad input is 400 and reaches no upstream", badInput},
	{"C7", "crowd", true, "200 concurrent streams complete", crowd(200)},
	{"C7", "crowd-1000", false, "1,000 concurrent streams complete", crowd(1000)},
	{"C7", "stalled-reader", true, "a reader that stalls costs at most 32 MB of 64, and holds up nobody", stalledReader},
	{"C7", "aborts", true, "another 500 aborted streams take at most 5 % more memory, and leave none open upstream", aborts},
	{"C8", "reuse", true, "100 requests one after the other use at most 3 upstream connections", reuse},
	{"C8", "sequential", true, "200 requests on one connection", sequential},
	{"C8", "connection-close", false, "Connection: close is honoured", connectionClose},
	{"C8", "chunked-request", false, "a request body in chunks is understood", chunkedRequest},
	{"C8", "quiet", false, "nothing is printed per token", quiet},
	{"C8", "restart", false, "a new process can listen on the port at once", restart},
	{"C8", "stale", true, "an upstream connection closed while idle does not fail the next request", stale},
	{"C8", "crosstalk", true, "after an abort, later answers hold only their own events", crosstalk},
	{"C8", "sigterm", true, "SIGTERM finishes open streams, refuses new ones, and exits with 0", sigterm},
}
