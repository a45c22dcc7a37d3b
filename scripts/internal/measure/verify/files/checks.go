// Package files has the checks of servers/files/README.md. The stub makes the bytes of a file from its name,
// so a check knows all of them. Lock-step proves streaming without a clock: the stub sends a piece only after
// the checker has seen the one before.
package files

import "fairstream/scripts/internal/measure/verify"

// Checks lists all checks in the order of the contract's clauses. No check can run without the first two. The
// README has the reason for each check that is optional.
var Checks = []verify.Check{
	verify.Ready("F1"),
	{Clause: "F2", Name: "answers", Must: true, First: true, Run: answers, Means: "GET /files/NAME answers 200 with the upstream's Content-Type, and no encoding"},
	{Clause: "F2", Name: "length", Run: length, Means: "the upstream's Content-Length is passed on while the body is still being sent"},

	{Clause: "F2", Name: "exact", Must: true, Run: exact, Means: "bodies of 0 bytes to 2 MB arrive unchanged"},
	{Clause: "F2", Name: "binary", Must: true, Run: binary, Means: "so do bodies that are not text"},
	{Clause: "F2", Name: "pieces", Must: true, Run: pieces, Means: "so do bodies that the upstream writes byte by byte, or in pieces with pauses"},
	{Clause: "F2", Name: "types", Must: true, Run: types, Means: "every Content-Type is passed on"},
	{Clause: "F2", Name: "gzip", Must: true, Run: gzip, Means: "a client that accepts gzip gets the same bytes, and no other length"},
	{Clause: "F2", Name: "head", Run: head, Means: "HEAD answers the same header without a body"},

	{Clause: "F3", Name: "lock-step", Must: true, Run: lockStep("piece=3k", 1, 6), Means: "each piece of 3 kB arrives before the upstream has sent the next"},
	{Clause: "F3", Name: "lock-step-small", Must: true, Run: lockStep("piece=1", 1, 6), Means: "the same with pieces of 1 byte"},
	{Clause: "F3", Name: "lock-step-large", Must: true, Run: lockStep("piece=100k", 1, 6), Means: "the same with pieces of 100 kB"},
	{Clause: "F3", Name: "lock-step-chunked", Must: true, Run: lockStep("piece=3k,chunked", 1, 6), Means: "the same without a length"},
	{Clause: "F3", Name: "lock-step-reused", Must: true, Run: lockStep("piece=3k", 3, 6), Means: "the same on the third request of a connection"},
	{Clause: "F3", Name: "lock-step-200", Must: true, Run: lockStepCrowd, Means: "the same with 200 clients at once"},

	{Clause: "F4", Name: "chunked", Must: true, Run: unchanged("200k-%d,chunked,piece=7k", "200k-%d,chunked", "0-%d,chunked"), Means: "an upstream's body in chunks arrives unchanged"},
	{Clause: "F4", Name: "chunk-trailers", Must: true, Run: unchanged("200k-%d,trailers,piece=7k"), Means: "chunk extensions and trailers do no harm"},
	{Clause: "F4", Name: "close-delimited", Must: true, Run: unchanged("200k-%d,close", "0-%d,close"), Means: "a body that ends with the upstream's connection arrives unchanged"},

	{Clause: "F5", Name: "cut", Must: true, Run: broken("cut=100k"), Means: "an upstream that is reset never looks complete"},
	{Clause: "F5", Name: "cut-chunked", Must: true, Run: broken("chunked,piece=10k,cut=100k"), Means: "the same without a length"},
	{Clause: "F5", Name: "cut-at-once", Must: true, Run: broken("cut=0"), Means: "the same before the first byte"},
	{Clause: "F5", Name: "ends-early", Must: true, Run: broken("end=100k"), Means: "an upstream that ends too early never looks complete"},
	{Clause: "F5", Name: "ends-early-chunked", Must: true, Run: broken("chunked,piece=10k,end=100k"), Means: "the same without a length"},

	{Clause: "F6", Name: "not-found", Must: true, Run: fails("status=404", 404, 404), Means: "404 of the upstream is 404, and the next request works"},
	{Clause: "F6", Name: "status-500", Must: true, Run: fails("status=500", 502, 503), Means: "500 of the upstream is 502 or 503, and the next request works"},
	{Clause: "F6", Name: "refused", Must: true, Run: fails("refuse", 502, 503), Means: "so is an upstream that gives no answer"},
	{Clause: "F6", Name: "paths", Must: true, Run: paths, Means: "another path is 404, and another method 404 or 405"},

	{Clause: "F7", Name: "stalled-reader", Must: true, Run: stalledReader, Means: "a reader that stalls costs at most 32 MB of 64, and holds up nobody"},
	{Clause: "F7", Name: "slow-reader", Must: true, Run: slowReader, Means: "a client that reads 64 MB slowly gets all of them"},
	{Clause: "F7", Name: "aborts", Must: true, Run: aborts, Means: "another 500 aborted requests take at most 5 % more memory, and leave none open upstream"},

	{Clause: "F8", Name: "leave-mid-body", Must: true, Run: leave("10k-%d,piece=1k,hold", 5), Means: "a client that leaves within the body ends the upstream request"},
	{Clause: "F8", Name: "leave-before-body", Must: true, Run: leave("10k-%d,piece=1k,hold", 0), Means: "so does one that leaves before the first byte"},
	{Clause: "F8", Name: "leave-before-header", Must: true, Run: leave("10k-%d,headers=1h", 0), Means: "so does one that leaves before the upstream's header"},
	{Clause: "F8", Name: "leave-unread", Must: true, Run: leaveUnread, Means: "so does one that leaves without reading, while the upstream waits"},

	{Clause: "F9", Name: "crowd-500", Must: true, Run: crowd, Means: "500 requests at once complete"},
	{Clause: "F9", Name: "reuse", Must: true, Run: reuse, Means: "100 requests one after the other use at most 3 upstream connections"},
	{Clause: "F9", Name: "sequential", Must: true, Run: sequential, Means: "200 requests on one connection"},
	{Clause: "F9", Name: "connection-close", Run: connectionClose, Means: "Connection: close is honoured"},
	{Clause: "F9", Name: "stale", Must: true, Run: stale, Means: "an upstream connection closed while idle does not fail the next request"},
	{Clause: "F9", Name: "crosstalk", Must: true, Run: crosstalk, Means: "after an abort, later answers hold only their own bytes"},
	{Clause: "F9", Name: "quiet", Run: quiet, Means: "nothing is printed per request"},
	{Clause: "F9", Name: "restart", Run: restart, Means: "a new process can listen on the port at once"},
	{Clause: "F9", Name: "sigterm", Must: true, Run: sigterm, Means: "SIGTERM finishes open answers, refuses new ones, and exits with 0"},
}
