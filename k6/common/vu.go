package common

import (
	"math/rand/v2"
	"time"

	"fairstream/k6/common/http1"
)

// A User has the requests of one VU and judges their answers. All methods but Enter run on the VU's
// loop.
type User interface {
	http1.Reader
	// Enter prepares for a slice, between two slices.
	Enter(k Key) error
	// Send sends the next request. The user calls VU.Done at its end.
	Send()
}

// A VU is one virtual user of a target, with a connection. Its next request begins when the one
// before has ended, or when it is due.
type VU struct {
	*http1.Client
	run            *run
	user           User
	target, number int

	// In the current slice, on the loop's clock:
	*running
	*share
	at          int           // the target's index in the slice
	start, stop time.Duration // between them requests begin
	fresh       bool          // the VU has had no request yet
	due         time.Duration // the intended begin of the request
	from, busy  time.Duration // begin of the request; time with a request

	// Bound once, since a method value is allocated.
	onDue, onRested func()
}

// restAfterFailure is the pause after a failed request: a target that refuses must not take cores
// from other targets. A VU counts as busy in it.
const restAfterFailure = 100 * time.Millisecond

func (v *VU) bind() {
	v.onDue = func() { v.begin(v.Loop().Now()) }
	v.onRested = func() { v.rested(v.Loop().Now()) }
}

// Among is the number of this instance's request k among those of all instances.
func (v *VU) Among(k int64) int64 { return v.run.Segment.whose(k, int64(v.VUs)) }

// Number is the VU's number among those of its target, over all instances.
func (v *VU) Number() int { return v.number }

// enter puts the VU into a slice.
func (v *VU) enter(s *running, at int) {
	v.running, v.share, v.at, v.fresh, v.busy = s, s.shares[at], at, true, 0
	v.start = s.started.Sub(v.Loop().Base())
	v.stop = v.start + time.Duration(s.MS)*time.Millisecond
}

// next begins the VU's next request, or waits until it is due.
func (v *VU) next(now time.Duration) {
	if !v.may(now) {
		v.leave()
		return
	}
	v.due = min(v.nextDue(now), v.stop)
	v.fresh = false
	if v.due > now {
		v.Call(v.due, v.onDue)
		return
	}
	v.begin(now)
}

// nextDue returns when the next request is due. With a rate, it is the time of the next arrival.
// Otherwise the first request begins at the VU's place in the spread, and every other one at once,
// after the pause.
func (v *VU) nextDue(now time.Duration) time.Duration {
	if v.RatePerS > 0 {
		return v.start + v.arrival(v.share.next.Add(1)-1)
	}
	if v.fresh {
		place := v.number*len(v.Targets) + v.at
		now = v.start + time.Duration(v.SpreadMS)*time.Millisecond*time.Duration(place)/time.Duration(v.VUs*len(v.Targets))
	}
	if v.PauseMS == 0 {
		return now
	}
	return now + time.Duration(rand.Float64()*float64(v.PauseMS)*float64(time.Millisecond))
}

// may reports whether a request of the slice may begin.
func (v *VU) may(now time.Duration) bool {
	return now < v.stop && !v.lost.Load() && !v.run.stopped.Load() && (v.Requests == 0 || v.share.next.Load() < v.limit)
}

// begin sends a request that is due.
func (v *VU) begin(now time.Duration) {
	if !v.may(now) || v.Requests > 0 && v.share.next.Add(1) > v.limit {
		v.leave()
		return
	}
	if v.RatePerS > 0 {
		v.sent.Add(1)
	}
	v.from = now
	v.user.Send()
}

// Late is how long the request began after it was due; 0 without a rate.
func (v *VU) Late() time.Duration {
	if v.RatePerS == 0 {
		return 0
	}
	return v.Start.Sub(v.Loop().Base()) - v.due
}

// Done takes the end of a request. kind is its failure, or "".
func (v *VU) Done(kind string) {
	if kind == http1.TimedOut {
		v.run.giveUp(v.target, v.running.number)
	}
	now := v.Loop().Now()
	if kind != "" && kind != http1.Interrupted {
		v.Call(now+restAfterFailure, v.onRested)
		return
	}
	v.rested(now)
}

func (v *VU) rested(now time.Duration) {
	v.busy += now - v.from
	v.next(now)
}

// leave ends the VU's part in the slice.
func (v *VU) leave() {
	v.running.open.Done()
}

// interrupt ends the VU's request or its waiting.
func (v *VU) interrupt(err error) {
	v.Interrupt(err)
	v.CallNow()
}

// planned is the number of arrivals of a slice with a rate.
func (s *Slice) planned() int64 { return int64(s.RatePerS * float64(s.MS) / 1000) }

// arrival is the intended begin of this instance's request k of a target, from the begin of the
// slice. Together the instances have the same arrivals as one alone. Each arrival has an interval of its own, in which all instants are equally likely. So the rate is exact, and
// no target always comes before another.
func (v *VU) arrival(k int64) time.Duration {
	if k >= v.limit {
		return time.Duration(v.MS) * time.Millisecond
	}
	n := v.Among(k)
	x := uint64(n)<<24 ^ uint64(v.target)<<16 ^ uint64(v.running.number)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9 // splitmix64, so all VUs know the same instant
	x = (x ^ x>>27) * 0x94d049bb133111eb
	within := float64((x^x>>31)>>11) / (1 << 53)
	return time.Duration((float64(n) + within) / v.RatePerS * float64(time.Second))
}
