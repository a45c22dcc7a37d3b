package common

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"fairstream/k6/common/http1"
	"fairstream/k6/shared/hist"
)

// A run loads the targets of a schedule, slice by slice. Its VUs live on event loops.
type run struct {
	Schedule
	noun    string // the module's word for a request, such as stream
	loops   []*http1.Loop
	vus     [][]*VU // by target and number
	lost    []atomic.Bool
	stopped atomic.Bool // the whole run ends
	watch   *Watch
	first   time.Time // begin of the first slice
	planned time.Time // begin of the next slice, with several instances

	mu     sync.Mutex
	report hist.Slices
	// Of the level that is loaded: how many cycles were repeated, and the first tries of those that are loaded now.
	repeats int
	again   [][]hist.Slice
}

// newRun makes the VUs of a schedule. The caller closes the run.
func newRun(s Schedule, noun string, loops int, newUser func(target int, vu *VU) User) (*run, error) {
	r := &run{
		Schedule: s, noun: noun, vus: make([][]*VU, len(s.Targets)), lost: make([]atomic.Bool, len(s.Targets)),
		watch:  NewWatch(s.Watched, s.Cores),
		report: hist.Slices{Planned: len(s.Slices), Slices: []hist.Slice{}, GivenUp: map[string]string{}},
	}
	for range loops {
		l, err := http1.NewLoop()
		if err != nil {
			r.close()
			return nil, err
		}
		r.loops = append(r.loops, l)
	}
	for _, slice := range s.Slices {
		for _, target := range slice.Targets {
			for n := len(r.vus[target]); n < int(s.Segment.Scale(int64(slice.VUs))); n++ {
				// The VUs of each target are on all loops alike.
				vu := &VU{run: r, target: target, number: int(s.Segment.Nth(int64(n)))}
				vu.bind()
				vu.user = newUser(target, vu)
				address, err := resolve(s.Targets[target].URL)
				if err != nil {
					r.close()
					return nil, fmt.Errorf("target %s: %w", s.Targets[target].Name, err)
				}
				vu.Client = r.loops[(n+target)%loops].NewClient(address, vu.user)
				r.vus[target] = append(r.vus[target], vu)
			}
		}
	}
	for _, l := range r.loops {
		l.Start()
	}
	return r, nil
}

// close ends the loops and all connections.
func (r *run) close() {
	for _, l := range r.loops {
		l.Close()
	}
}

// resolve finds the address of a URL.
func resolve(text string) (http1.Address, error) {
	u, err := ParseURL(text)
	if err != nil {
		return http1.Address{}, err
	}
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return http1.Resolve(net.JoinHostPort(u.Hostname(), port))
}

// ParseURL reads the URL of a target.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" || u.Host == "" {
		return nil, fmt.Errorf("%s: want http://HOST[:PORT]/PATH; TLS is not spoken", text)
	}
	return u, nil
}

// do loads slice after slice, until all are over or ctx ends.
func (r *run) do(ctx context.Context) error {
	interrupt := context.AfterFunc(ctx, func() {
		r.stopped.Store(true)
		for _, l := range r.loops {
			l.Do(func() { r.interrupt(l, ctx.Err()) })
		}
	})
	defer interrupt()
	for i := 0; i < len(r.Slices); i++ {
		s, err := r.slice(i)
		if err != nil {
			return err
		}
		if !r.due(ctx, i) {
			return nil
		}
		r.begin(s)
		s.open.Wait()
		if r.Segment.Scale(int64(s.VUs)) == 0 { // others load, and this instance reads the clocks
			waits(ctx, time.Duration(s.MS)*time.Millisecond)
		}
		if ctx.Err() != nil {
			return nil // the slice was cut short, so it has no report
		}
		r.end(s)
		r.repeat(i)
	}
	r.due(ctx, len(r.Slices))
	return nil
}

// interrupt ends what the VUs of a loop do.
func (r *run) interrupt(l *http1.Loop, err error) {
	for _, vus := range r.vus {
		for _, vu := range vus {
			if vu.Loop() == l {
				vu.interrupt(err)
			}
		}
	}
}

// A running is a slice that is being loaded.
type running struct {
	Slice
	number  int
	started time.Time
	open    sync.WaitGroup // its VUs
	shares  []*share       // by target of the slice
}

// A share is what a target gets in a slice. All its VUs share it.
type share struct {
	vus   []*VU
	lost  *atomic.Bool
	limit int64 // its requests or arrivals in this instance
	// next numbers the requests of a slice with a limit or a rate. sent counts those with a rate that
	// began in time.
	next, sent atomic.Int64
}

// slice prepares a slice. Nothing is loaded meanwhile.
func (r *run) slice(number int) (*running, error) {
	s := &running{Slice: r.Slices[number], number: number}
	for _, target := range s.Targets {
		of := &share{vus: r.vus[target][:r.Segment.Scale(int64(s.VUs))], lost: &r.lost[target]}
		of.limit = r.Segment.owned(max(s.Requests, s.planned()), int64(s.VUs))
		s.shares = append(s.shares, of)
		key := Key{Target: r.Targets[target].Name, Level: s.Level, Slice: fmt.Sprint(number)}
		for _, vu := range of.vus {
			if err := vu.user.Enter(key); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// begin lets the VUs of a slice begin.
func (r *run) begin(s *running) {
	if s.number == 0 || r.Slices[s.number-1].Level != s.Level {
		r.watch.ResetPeaks()
	}
	r.watch.Begin()
	s.started = time.Now()
	if s.number == 0 {
		r.first = s.started
	}
	byLoop := map[*http1.Loop][]*VU{}
	for at, of := range s.shares {
		s.open.Add(len(of.vus))
		for _, vu := range of.vus {
			vu.enter(s, at)
			byLoop[vu.Loop()] = append(byLoop[vu.Loop()], vu)
		}
	}
	for l, vus := range byLoop {
		l.Do(func() {
			for _, vu := range vus {
				vu.next(l.Now())
			}
		})
	}
}

// end adds the report of a slice that is over.
func (r *run) end(s *running) {
	// On the monotonic clock, since somebody may set the wall clock meanwhile.
	report := hist.Slice{
		Slice: s.number, Level: s.Level, Cycle: s.Cycle, VUs: int(r.Segment.Scale(int64(s.VUs))),
		StartedUnixMS: r.first.Add(s.started.Sub(r.first)).UnixMilli(), PlannedMS: s.MS,
		TookMS: ms(time.Since(s.started)), BusyMS: map[string]float64{},
	}
	for at, target := range s.Targets {
		name, of := r.Targets[target].Name, s.shares[at]
		report.Targets = append(report.Targets, name)
		for _, vu := range of.vus {
			report.BusyMS[name] += ms(vu.busy)
		}
		if s.RatePerS > 0 {
			if report.Unsent == nil {
				report.Unsent = map[string]int64{}
			}
			report.Unsent[name] = of.limit - of.sent.Load()
		}
	}
	r.watch.End(&report)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Slices = append(r.report.Slices, report)
}

// giveUp takes a target whose request hung out of the load. It would delay the end of each of its
// slices.
func (r *run) giveUp(target, slice int) {
	if r.lost[target].Swap(true) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.GivenUp[r.Targets[target].Name] = fmt.Sprintf("a %s hung in slice %d", r.noun, slice)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// bytes counts what all VUs sent and received.
func (r *run) bytes() (sent, came int64) {
	for _, vus := range r.vus {
		for _, vu := range vus {
			sent, came = sent+vu.Sent, came+vu.Came
		}
	}
	return sent, came
}
