// Command stub is the fake upstream of the servers: one program with a part for each workload that
// needs one. README.md says how it is built and what it costs.
//
// The environment gives PORT, where 0 picks a free one, and HOST, which is 127.0.0.1 unless servers are on
// another machine. The stub prints its address on stdout once it listens. SIGTERM and SIGINT end it at once.
package main

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"fairstream/stub/common"
)

var server = common.NewServer(routes())

func main() {
	ln, err := net.Listen("tcp", net.JoinHostPort(cmp.Or(os.Getenv("HOST"), "127.0.0.1"), cmp.Or(os.Getenv("PORT"), "0")))
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
	if err := server.Serve(ln); err != nil {
		fmt.Fprintln(os.Stderr, "stub:", err)
		os.Exit(1)
	}
}
