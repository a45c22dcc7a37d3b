// Command soak shows what k6 holds in memory while k6/x/sse streams, and what
// of it grows. k6 keeps 8 bytes of each sample of each Trend until it ends, by
// design, which would hide a leak of the module. So several k6 run side by
// side, each with a stub of its own:
//
//	iterations  each stream is an iteration of k6, as in the scenarios
//	loop        each VU has one iteration, which does not end: no iteration_duration
//	bare        the same, and k6 keeps no samples: the module alone
//
// Live is the heap after a collection, which soak asks for each time; RSS is
// read before that. The exit status is 1 when live grew in bare.
//
//	go run ./sse/soak -k6 bin/k6 -stub ../stub/bin/stub -for 30m
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A config says what is streamed, for how long, and with what.
type config struct {
	k6, stub, script string
	clients          []string
	vus, tokens      int
	gap              time.Duration
	span, every      time.Duration
}

func main() {
	var c config
	flag.StringVar(&c.k6, "k6", "bin/k6", "the k6 binary")
	flag.StringVar(&c.stub, "stub", "../stub/bin/stub", "the stub binary")
	names := flag.String("clients", "iterations,loop,bare", "which to run")
	flag.IntVar(&c.vus, "vus", 20, "VUs of each")
	flag.IntVar(&c.tokens, "tokens", 20, "tokens of a stream")
	flag.DurationVar(&c.gap, "gap", 2*time.Millisecond, "from token to token")
	flag.DurationVar(&c.span, "for", 30*time.Minute, "how long")
	flag.DurationVar(&c.every, "every", time.Minute, "how often memory is read")
	flag.Parse()
	_, source, _, _ := runtime.Caller(0)
	c.script = filepath.Join(filepath.Dir(source), "stream.js")
	c.clients = strings.Split(*names, ",")
	if err := run(c, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}
