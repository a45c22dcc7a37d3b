// A size for a server in package main that calls its upstream through a package variable client. These files are added
// to a copy of the server, and built with it. The server is then worse by a known amount, which the command line gives.
//
// It acts where the server calls its upstream: in RoundTrip, and in Read of the body. Without a size it costs the same
// as with one. So two sides of one program differ in the size alone.
//
// inject_tell.go reports the delivered delays on stderr, from counters of its own.
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

// sizes are the flags of the command line.
type sizes struct {
	work                         int // iterations for each read
	workPace                     string
	ttft, ttftShare              float64 // us
	tail, tailShare              float64 // us
	ttftPace, tailPace, lockPace string  // of the streams that get them; "" is any
	resident                     int64   // bytes
	lockWork                     int     // iterations of each stream
}

// An inject is the server's transport to its upstream, with sizes.
type inject struct {
	sizes
	next http.RoundTripper

	ttftDelay, tailDelay    delay
	mu                      sync.Mutex
	started, open, mostOpen int
	residents               memory
	told                    told
	sink                    uint64 // takes the results of the work, so that the compiler keeps it
}

func init() {
	p := &inject{next: client.Transport}
	flags := flag.NewFlagSet("inject", flag.ExitOnError)
	flags.IntVar(&p.work, "work", 0, "`iterations` of a small loop for each read of the upstream's body")
	flags.StringVar(&p.workPace, "work-pace", "", "only for streams whose message asks for this `itl` between tokens")
	flags.Float64Var(&p.ttft, "ttft-us", 0, "delay of the upstream's header in `us`")
	flags.Float64Var(&p.ttftShare, "ttft-share", 0, "`share` of streams with this delay")
	flags.StringVar(&p.ttftPace, "ttft-pace", "", "only for streams with this `itl`")
	flags.Float64Var(&p.tail, "tail-us", 0, "delay of the end of the upstream's body in `us`")
	flags.Float64Var(&p.tailShare, "tail-share", 0, "`share` of streams with this delay")
	flags.StringVar(&p.tailPace, "tail-pace", "", "only for streams with this `itl`")
	flags.Int64Var(&p.resident, "resident", 0, "`bytes` of memory for each concurrent stream")
	flags.IntVar(&p.lockWork, "lock-work", 0, "`iterations` of the same loop once for each stream, as if it spun for a lock")
	flags.StringVar(&p.lockPace, "lock-pace", "", "only for streams with this `itl`")
	flags.Parse(os.Args[1:])
	p.told.Paces = map[string]given{}
	client.Transport = p
	go p.calibrate()
	go p.tell()
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
	return n, err
}

// due picks a share of streams. Multiples of the golden ratio fall evenly into the circle. So any hundred streams have
// about that share, without a period that a client could follow. Streams that are picked with one offset are others
// than those with another.
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
	sink              uint64
	tailDue           bool
	ttft, tail        time.Duration // duration of a delay; 0: no delay
	over              bool
}

func (b *body) Read(buf []byte) (n int, err error) {
	n, err = b.ReadCloser.Read(buf)
	work := 0
	if of(b.inject.workPace, b.pace) {
		work = b.inject.work
	}
	if b.reads == 0 && of(b.inject.lockPace, b.pace) {
		work += b.inject.lockWork
	}
	b.reads++
	b.iterations += work
	b.sink = spin(b.sink, work)
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

// paceOf is the itl between tokens that a request asks its upstream for. It tells the level of a load.
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
