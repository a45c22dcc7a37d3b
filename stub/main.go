// Command stub is the fake model. It answers POST /v1/chat/completions with a deterministic stream
// in the exact chat.completion.chunk format of the OpenAI API. The user's message sets the pace
// (see directive.go).
//
// It does not answer without streaming, except with @json=1. It trusts its caller, and listens on
// 127.0.0.1 only.
//
// It speaks HTTP/1.1 on the socket, without net/http's server, for two reasons. Each event must be
// one write of ready bytes, because the stub's cost is part of every measurement on shared cores.
// And it must misbehave: cut a connection, stall, or split an event. A correct server library
// refuses that. net/http still parses requests.
//
// Other endpoints: GET /healthz, GET /stats (counters), GET /journal/ID (requests whose message has
// @id=ID, and their answers), and POST /release/ID?n=1 (allows n events of a stream with @hold=1
// @id=ID).
//
// The environment gives PORT; 0 picks a free one. The stub prints its address on stdout once it
// listens. SIGTERM and SIGINT end it at once.
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
