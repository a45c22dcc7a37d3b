// Command agree compares the times of k6/x/sse with those of another client: blocking sockets,
// which share no code with it. Both have the same number of streams of one stub in the same
// seconds, one in a real k6 and the other here. It prints the p50 of both and the ratio. It does
// not say which one is right. With -control, a second process of such sockets takes the place of
// k6. That shows how much two equal clients differ.
//
//	go run ./agree -k6 bin/k6 -stub ../stub/bin/stub
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// A config holds the streams to send, and the programs to use.
type config struct {
	k6, stub, server string
	script           string
	vus, tokens      int
	itl, ttft        time.Duration
	hold             time.Duration // delay of the relay; 0: no relay
	rounds           int
	each             time.Duration // length of a round
	control          bool          // sockets of another process take the place of k6
}

func (c config) message() string {
	return fmt.Sprintf("hello @tokens=%d @itl=%v @ttft=%v", c.tokens, c.itl, c.ttft)
}

func main() {
	var c config
	flag.StringVar(&c.k6, "k6", "bin/k6", "the k6 binary")
	flag.StringVar(&c.stub, "stub", "../stub/bin/stub", "the stub binary")
	flag.StringVar(&c.server, "server", "", "put a server before the stub: its binary, such as ../servers/relay/go-http/bin/server")
	flag.IntVar(&c.vus, "vus", 10, "VUs, and as many sockets")
	flag.IntVar(&c.tokens, "tokens", 20, "tokens of a stream")
	flag.DurationVar(&c.itl, "itl", 10*time.Millisecond, "from token to token")
	flag.DurationVar(&c.ttft, "ttft", 0, "from the request to the first token")
	flag.DurationVar(&c.hold, "hold", 0, "put a relay before all that holds each event as long")
	flag.IntVar(&c.rounds, "rounds", 10, "rounds")
	flag.DurationVar(&c.each, "each", 3*time.Second, "time of a round")
	flag.BoolVar(&c.control, "control", false, "put raw sockets of another process in k6's place: what two of the same differ by")
	child := flag.String("child", "", "for -control: be that process, for this URL")
	body := flag.String("body", "", "for -control: what it posts")
	flag.Parse()
	_, source, _, _ := runtime.Caller(0)
	c.script = filepath.Join(filepath.Dir(source), "stream.js")
	if c.vus < 1 || c.tokens < 2 || c.rounds < 1 || c.each < time.Millisecond {
		fmt.Fprintln(os.Stderr, "agree: want -vus, -rounds and -each over 0, and -tokens from 2, for a itl")
		os.Exit(2)
	}
	if *child != "" {
		if err := control(c, *child, *body, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "agree: control:", err)
			os.Exit(1)
		}
		return
	}
	rows, err := compare(c)
	if err != nil {
		fmt.Fprintln(os.Stderr, "agree:", err)
		os.Exit(1)
	}
	way := ""
	if c.server != "" {
		way += ", by way of " + c.server
	}
	if c.hold > 0 {
		way += fmt.Sprintf(", by way of a relay that holds each event %v", c.hold)
	}
	fmt.Printf("%s, %d VUs beside %d sockets, %d rounds of %v%s\n", c.message(), c.vus, c.vus, c.rounds, c.each, way)
	other := "k6/x/sse"
	if c.control {
		other = "control"
	}
	fmt.Printf("%-8s %12s %14s   ratio (least to greatest round)\n", "p50", other, "raw sockets")
	for _, r := range rows {
		fmt.Printf("%-8s %9.1f us %11.1f us   %.4f (%.4f to %.4f), of %d and %d\n", r.name, r.k6, r.raw, r.ratio, r.least, r.greatest, r.ofK6, r.ofRaw)
	}
}
