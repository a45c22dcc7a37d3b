// Command stub is the fake model: it answers POST /v1/chat/completions with a
// deterministic stream in the exact chat.completion.chunk format of the OpenAI
// API, at the pace that the user's message asks for (see directive.go).
//
// It does not think, does not answer without streaming, and trusts its caller:
// it listens on 127.0.0.1 only.
//
// It speaks HTTP/1.1 on the bare socket instead of through net/http's server,
// for two reasons. Each event must be one write of ready bytes, because what
// the stub costs is part of every measurement on shared cores. And it must be
// able to misbehave: to cut a connection, stall, or split an event, which a
// correct server library rightly refuses to do. Requests are still parsed by
// net/http.
//
// Other endpoints: GET /healthz, GET /stats (counters), GET /journal/ID (what
// the stub saw and did for requests whose message said @id=ID), and POST
// /release/ID?n=1 (let n events of a stream with @hold=1 @id=ID go).
//
// The environment gives PORT; 0 picks a free one. The address is printed on
// stdout once the stub listens. SIGTERM and SIGINT end it at once.
package main

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ln, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", cmp.Or(os.Getenv("PORT"), "0")))
	if err != nil {
		fmt.Fprintln(os.Stderr, "stub:", err)
		os.Exit(1)
	}
	fmt.Printf("http://%s/v1\n", ln.Addr())

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-stop
		os.Exit(0)
	}()
	if err := newStub().serve(ln); err != nil {
		fmt.Fprintln(os.Stderr, "stub:", err)
		os.Exit(1)
	}
}
