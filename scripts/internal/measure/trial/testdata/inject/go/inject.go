// A size for a server of package main whose requests upstream go through a
// package variable client: this directory's files are added to a copy of its
// own and built with it. The real server is then there, with as much worse as
// the command line says and nothing else: what finds regressions is tried on
// ones of a known size.
//
// It acts where the server meets its upstream, in RoundTrip and in Read of the
// body, and in the same way whatever the sizes are: without any, what it costs
// to be able to give some is in the figures too, so that two sides of one
// binary differ in the size alone.
//
// tell.go reports the delivered delays on stderr, from counters of its own.
package main

import (
	"flag"
	"io"
	"math"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"
)

// sizes are as the command line's flags of these names say.
type sizes struct {
	work                          int
	ttft, ttftShare               float64 // us
	tail, tailShare               float64 // us
	ttftPace, tailPace, lockPace  string  // of the streams that these are for; "" is any
	resident, leakEach, fromStart int64   // bytes
	merge                         int
	lockShare                     float64
}

// A inject is the server's way upstream, with sizes.
type inject struct {
	sizes
	next http.RoundTripper

	ttftDelay, tailDelay     delay
	lock                     sync.RWMutex
	mu                       sync.Mutex
	started, open, mostOpen  int
	residents, leaked, fixed memory
	told                     told
	sink                     uint64 // where the work's result goes, so that it is not optimised away
}

func init() {
	p := &inject{next: client.Transport}
	flags := flag.NewFlagSet("inject", flag.ExitOnError)
	flags.IntVar(&p.work, "work", 0, "`iterations` of a small loop for each read of the upstream's body")
	flags.Float64Var(&p.ttft, "ttft-us", 0, "`us` by which the upstream's header is handed on late")
	flags.Float64Var(&p.ttftShare, "ttft-share", 0, "`share` of streams whose header is late")
	flags.StringVar(&p.ttftPace, "ttft-pace", "", "`itl` between tokens, as the message asks for it, of the streams that may be late so")
	flags.Float64Var(&p.tail, "tail-us", 0, "`us` by which the end of the upstream's body is handed on late")
	flags.Float64Var(&p.tailShare, "tail-share", 0, "`share` of streams whose end is late")
	flags.StringVar(&p.tailPace, "tail-pace", "", "`itl` likewise")
	flags.Int64Var(&p.resident, "resident", 0, "`bytes` that each of the streams open at a time has for itself, and that the next one has after it")
	flags.Int64Var(&p.leakEach, "leak", 0, "`bytes` that each stream leaves behind")
	flags.Int64Var(&p.fromStart, "fixed", 0, "`bytes` from the start on")
	flags.IntVar(&p.merge, "merge", 1, "`reads` that are handed on as one, against the contract")
	flags.Float64Var(&p.lockShare, "lock-share", 0, "`share` of the time for which a lock is held that all streams pass")
	flags.StringVar(&p.lockPace, "lock-pace", "", "`itl` likewise")
	flags.Parse(os.Args[1:])
	if err := p.fixed.hold(p.fromStart); err != nil {
		io.WriteString(os.Stderr, "inject: "+err.Error()+"\n")
		os.Exit(1)
	}
	p.told.Paces = map[string]given{}
	client.Transport = p
	go p.calibrate()
	go p.tell()
	if p.lockShare > 0 {
		go p.holdLock()
	}
}

// RoundTrip begins a stream.
func (p *inject) RoundTrip(r *http.Request) (*http.Response, error) {
	n, err := p.begin()
	if err != nil {
		p.end(&body{inject: p, pace: paceOf(r)})
		return nil, err
	}
	b := &body{inject: p, pace: paceOf(r)}
	b.tailDue = due(n, p.tailShare, 0.5) && of(p.tailPace, b.pace)
	res, err := p.next.RoundTrip(r)
	if err == nil && due(n, p.ttftShare, 0) && of(p.ttftPace, b.pace) {
		b.ttft, err = p.ttftDelay.wait(p.ttft)
		if err != nil {
			res.Body.Close()
		}
	}
	if err != nil {
		p.end(b)
		return nil, err
	}
	b.ReadCloser, res.Body = res.Body, b
	return res, nil
}

// begin counts a stream, from 0, and holds its memory.
func (p *inject) begin() (n int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n = p.started
	p.started++
	p.open++
	if p.open > p.mostOpen {
		p.mostOpen = p.open
		err = p.residents.hold(p.resident)
	}
	if err == nil {
		err = p.leaked.hold(p.leakEach)
	}
	return n, err
}

// due picks a share of streams: multiples of the golden ratio fall evenly into
// the circle, so that in any hundred the picked are about that share, in no
// period that a client could be in step with, whatever the time is. Streams
// picked with one offset are others than those with another.
func due(n int, share, offset float64) bool {
	_, at := math.Modf(float64(n)*math.Phi + offset)
	return at < share
}

// A body is that of the upstream's answer. It is read by one goroutine.
type body struct {
	io.ReadCloser
	inject            *inject
	pace              string
	reads, iterations int
	waits             int // for the lock
	sink              uint64
	tailDue           bool
	ttft, tail        time.Duration // duration of a delay; 0: no delay
	over              bool
}

func (b *body) Read(buf []byte) (n int, err error) {
	for i := 0; i < b.inject.merge && n < len(buf) && err == nil; i++ {
		var more int
		more, err = b.ReadCloser.Read(buf[n:])
		n += more
	}
	b.reads++
	b.iterations += b.inject.work
	b.sink = spin(b.sink, b.inject.work)
	if b.inject.lockShare > 0 && of(b.inject.lockPace, b.pace) {
		if !b.inject.lock.TryRLock() {
			b.waits++
			b.inject.lock.RLock()
		}
		b.inject.lock.RUnlock()
	}
	if err == io.EOF && b.tailDue {
		b.tailDue = false
		var failed error
		if b.tail, failed = b.inject.tailDelay.wait(b.inject.tail); failed != nil {
			return n, failed
		}
	}
	return n, err
}

// Close ends the stream, once.
func (b *body) Close() error {
	if !b.over {
		b.over = true
		b.inject.end(b)
	}
	return b.ReadCloser.Close()
}

func (p *inject) end(b *body) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open--
	p.sink += b.sink
	p.told.add(b)
}

// paceOf is the itl between tokens that a request asks its upstream for: which
// scenario it is of.
func paceOf(r *http.Request) string {
	if r.GetBody == nil {
		return ""
	}
	body, err := r.GetBody()
	if err != nil {
		return ""
	}
	text := make([]byte, 1<<10)
	n, _ := io.ReadFull(body, text) // it may be shorter
	_, after, _ := strings.Cut(string(text[:n]), "@itl=")
	if end := strings.IndexFunc(after, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); end >= 0 {
		after = after[:end]
	}
	return after
}

func of(wanted, pace string) bool { return wanted == "" || wanted == pace }
