package relay

import (
	"fairstream/scripts/internal/measure/verify"
)

// Checks lists all checks in the order of the contract's clauses. The longest comes early, since the others
// run beside it. No check can run without the first two.
//
// Packets that end inside an event come without chunked coding. Some clients wait for a whole chunk, and
// would hide the end of a packet from the server.
var Checks = []verify.Check{
	verify.Ready("C1"),
	first(must("C2", "header", "POST /chat answers 200 text/event-stream, chunked, without a Content-Length or an encoding", answers)),
	must("C7", "slow-upstream", "12 s of silence do not end a stream", slowIsNotDead),
	must("C3", "exact", "upstream bytes arrive unchanged", unchanged("@tokens=50 @itl=0s")),
	must("C3", "message", "the upstream request is a streamed completion of the message as it was given", messageFidelity),
	must("C3", "tricky", "content that looks like an event, an end or a line break arrives unchanged", unchanged("@tokens=5 @itl=50ms @text=tricky @size=200")),
	must("C3", "big", "an event of 1 MB arrives unchanged", unchanged("@tokens=2 @itl=0s @size=1000000")),
	must("C3", "1-byte", "an upstream that writes byte by byte arrives unchanged", unchanged("@tokens=5 @itl=0s @write=1")),
	must("C3", "2.5-events", "an upstream that writes two and a half events at a time arrives unchanged", unchanged("@tokens=6 @itl=50ms @packet=2.5 @close=1")),
	must("C3", "split-character", "an upstream that pauses inside a character arrives unchanged", unchanged("@tokens=6 @itl=50ms @packet=0.5 @text=utf8 @size=200 @close=1")),
	must("C3", "comments", "comments between events do no harm", unchanged("@tokens=5 @itl=0s @comments=1")),
	should("C3", "crlf", "lines that end in CRLF arrive unchanged", unchanged("@tokens=5 @itl=0s @lines=crlf")),
	must("C3", "close-delimited", "an upstream body that ends with its connection arrives unchanged", unchanged("@tokens=5 @itl=0s @close=1")),
	must("C3", "chunk-trailers", "upstream chunk extensions and trailers do no harm", unchanged("@tokens=5 @itl=0s @trailers=1")),
	must("C3", "cut", "an upstream that is cut is not given a clean end", truncated("@cut=5", false)),
	must("C3", "no-done", "an upstream that ends without [DONE] is not given one", truncated("@end=5", true)),
	must("C3", "error-event", "an error event is passed on, and no [DONE] is invented", truncated("@error=5", true)),
	must("C4", "lock-step", "each event arrives before the stub has the next", lockStep(1, "@size=1", "")),
	must("C4", "lock-step-big", "the same with tokens of 3 KB", lockStep(1, "@size=3000", "")),
	must("C4", "lock-step-reused", "the same on the third request of a connection", lockStep(3, "@size=16", "")),
	must("C4", "lock-step-gzip", "the same for a client that accepts gzip", lockStep(1, "@size=16", "Accept-Encoding: gzip, br\r\n")),
	must("C4", "lock-step-200", "the same on 200 streams at once", lockStepCrowd),
	must("C4", "awake", "the server never sleeps on an event that it has read and not written, be it for some milliseconds", awake),
	// Nagle's algorithm delays tokens by up to a delayed acknowledgement. It loses none, and the delay is
	// measured, so the check is optional.
	should("C4", "nodelay", "TCP_NODELAY is set on connections from clients", noDelay(false)),
	should("C4", "nodelay-upstream", "TCP_NODELAY is set on connections to the upstream", noDelay(true)),
	should("C4", "early-header", "the header arrives before the first event", earlyHeader),
	must("C5", "leave-mid-stream", "a client that leaves mid-stream ends the upstream request", leave("@hold=1", 5)),
	must("C5", "leave-before-token", "so does one that leaves before the first event", leave("@hold=1", 0)),
	must("C5", "leave-before-header", "so does one that leaves before the upstream's headers", leave("@headers=1h", 0)),
	must("C6", "refused", "an upstream that gives no answer is a 502 or 503 with JSON, and the next request works", upstreamFails("@refuse=1")),
	must("C6", "status-500", "so is one that answers 500", upstreamFails("@status=500")),
	must("C6", "status-429", "so is one that answers 429", upstreamFails("@status=429")),
	must("C6", "not-sse", "so is one that does not stream", upstreamFails("@json=1")),
	must("C6", "bad-input", "bad input is 400 and reaches no upstream", badInput),
	must("C7", "crowd", "200 concurrent streams complete", crowd(200)),
	should("C7", "crowd-1000", "1,000 concurrent streams complete", crowd(1000)),
	must("C7", "stalled-reader", "a reader that stalls costs at most 32 MB of 64, and holds up nobody", stalledReader),
	must("C7", "aborts", "another 500 aborted streams take at most 5 % more memory, and leave none open upstream", aborts),
	must("C8", "reuse", "100 requests one after the other use at most 3 upstream connections", reuse),
	must("C8", "sequential", "200 requests on one connection", sequential),
	should("C8", "connection-close", "Connection: close is honoured", connectionClose),
	should("C8", "chunked-request", "a request body in chunks is understood", chunkedRequest),
	should("C8", "quiet", "nothing is printed per token", quiet),
	should("C8", "restart", "a new process can listen on the port at once", restart),
	must("C8", "stale", "an upstream connection closed while idle does not fail the next request", stale),
	must("C8", "crosstalk", "after an abort, later answers hold only their own events", crosstalk),
	must("C8", "sigterm", "SIGTERM finishes open streams, refuses new ones, and exits with 0", sigterm),
}

// A subject is a running server, with what this package asks of it.
type subject struct{ *verify.Subject }

// A client is a connection to a server that can chat.
type client struct{ *verify.Client }

// An answer is a stream of events.
type answer struct {
	*verify.Answer
	c       *client
	scanned int // bytes of Body that next has passed
}

type entry = verify.Entry

// must, should and first make checks of this package.
var (
	must   = verify.Must(own)
	should = verify.Should(own)
	first  = verify.First
)

func own(s *verify.Subject) *subject { return &subject{s} }

func dial(port int, option ...func(fd int) error) (*client, error) {
	c, err := verify.Dial(port, option...)
	if err != nil {
		return nil, err
	}
	return &client{c}, nil
}

// head reads a response up to its body.
func (c *client) head() (*answer, error) {
	a, err := c.Head()
	if err != nil {
		return nil, err
	}
	return &answer{Answer: a, c: c}, nil
}
