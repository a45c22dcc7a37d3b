// Package web has the checks of servers/web/README.md. All values are random in each run, so that no server
// can know an answer. Where bytes matter, requests are written to raw sockets.
package web

import "fairstream/scripts/internal/measure/verify"

// Checks lists all checks in the order of the contract's clauses. No check can run without the first two. The
// README has the reason for each check that is optional.
var Checks = []verify.Check{
	verify.Ready("W1"),
	{Clause: "W2", Name: "hello", Must: true, First: true, Run: hello, Means: "GET / answers 200 text/plain hi"},

	{Clause: "W3", Name: "id", Must: true, Run: idAndName, Means: "GET /id/ID?name=NAME answers 200 text/plain, ID NAME"},
	{Clause: "W3", Name: "header", Must: true, Run: poweredBy, Means: "and the header x-powered-by: benchmark, with a name or without"},
	{Clause: "W3", Name: "id-alone", Must: true, Run: idAlone, Means: "without a name it answers ID alone"},
	{Clause: "W3", Name: "path-escapes", Must: true, Run: pathEscapes, Means: "an ID is decoded once: UTF-8, %20, %25, lower and upper case; + stays +"},
	{Clause: "W3", Name: "query-escapes", Must: true, Run: queryEscapes, Means: "a NAME is decoded once: the same, and + is a space"},
	{Clause: "W3", Name: "escaped-slash", Run: escapedSlash, Means: "%2F in an ID is part of the ID"},
	{Clause: "W3", Name: "parameters", Must: true, Run: parameters, Means: "other parameters change nothing, whatever their names, number and order"},
	{Clause: "W3", Name: "first-name", Must: true, Run: firstName, Means: "the first of several names counts"},

	{Clause: "W4", Name: "json", Must: true, Run: jsonValues, Means: "POST /json answers 200 application/json with the same value"},
	{Clause: "W4", Name: "numbers", Must: true, Run: jsonNumbers, Means: "numbers survive: 1e2, 0.1, 1234567890123"},
	{Clause: "W4", Name: "unicode", Must: true, Run: jsonUnicode, Means: "text survives: UTF-8, escapes, pairs of surrogates, empty keys"},
	{Clause: "W4", Name: "nesting", Must: true, Run: jsonNesting, Means: "100 arrays or objects inside each other survive"},
	{Clause: "W4", Name: "scalars", Run: jsonScalars, Means: "a text, a number, true or null is a body too"},
	{Clause: "W4", Name: "serialised", Must: true, Run: jsonSerialised, Means: "the server writes the answer itself; it does not return the request's bytes"},
	{Clause: "W4", Name: "invalid", Must: true, Run: jsonInvalid, Means: "invalid JSON is 400, and the next request works"},
	{Clause: "W4", Name: "not-a-number", Run: jsonNotANumber, Means: "NaN and Infinity are invalid too"},
	{Clause: "W4", Name: "big", Must: true, Run: jsonBig, Means: "a body of 1 MB works"},
	{Clause: "W4", Name: "too-big", Must: true, Run: jsonTooBig, Means: "a body of 3 MB works or is refused with 413, and the next request works"},

	{Clause: "W5", Name: "data", Must: true, Run: data, Means: "GET /data answers 200 application/json with the bytes of data.json"},
	{Clause: "W5", Name: "fresh", Must: true, Run: fresh, Means: "when the file changes between two requests, so does the answer"},

	{Clause: "W6", Name: "keep-alive", Must: true, Run: keepAlive, Means: "200 requests on one connection"},
	{Clause: "W6", Name: "pipelined", Must: true, Run: pipelined(false), Means: "requests sent at once are answered in order, or the connection closes between answers"},
	{Clause: "W6", Name: "pipelined-all", Run: pipelined(true), Means: "all of them are answered"},
	{Clause: "W6", Name: "head", Run: head, Means: "HEAD / answers 200 without a body"},
	{Clause: "W6", Name: "not-found", Must: true, Run: notFound, Means: "an unknown path is 404"},
	{Clause: "W6", Name: "method", Must: true, Run: wrongMethod, Means: "a wrong method is 404 or 405"},
	{Clause: "W6", Name: "unread-body", Must: true, Run: unreadBody, Means: "a body that no handler reads is not the next request"},
	{Clause: "W6", Name: "byte-by-byte", Must: true, Run: byteByByte, Means: "a request that arrives byte by byte is answered"},
	{Clause: "W6", Name: "slow-senders", Must: true, Run: slowSenders, Means: "50 clients that send half a request hold up nobody, and are answered in the end"},
	{Clause: "W6", Name: "slow-readers", Must: true, Run: slowReaders(20, 1), Means: "20 clients that do not read their answer of 1 MB hold up nobody, and get it in the end"},
	{Clause: "W6", Name: "slow-pipeline", Run: slowReaders(10, 8), Means: "so do 10 clients that have asked for 8 such answers each, which no kernel buffers"},
	{Clause: "W6", Name: "crowd-1000", Must: true, Run: crowd, Means: "1,000 connections at once, idle or not, are answered"},
	{Clause: "W6", Name: "chunked", Must: true, Run: chunked, Means: "a request body in chunks is understood"},
	{Clause: "W6", Name: "connection-close", Must: true, Run: connectionClose, Means: "Connection: close is honoured"},

	{Clause: "W7", Name: "quiet", Run: quiet, Means: "nothing is printed per request"},
	{Clause: "W7", Name: "restart", Run: restart, Means: "a new process can listen on the port at once"},
	{Clause: "W7", Name: "sigterm", Must: true, Run: sigterm, Means: "SIGTERM ends it with status 0, though idle connections are open"},
}
