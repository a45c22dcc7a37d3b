package common

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"fairstream/k6/common/hist"
)

// A Dealer gives the slices of a process to its VUs, each through its Hand. A slice ends when its
// time is over and its last stream has ended. Then the next one begins.
type Dealer struct {
	mu      sync.Mutex
	changed sync.Cond
	plan    schedule
	given   string    // JSON of plan
	now     int       // current slice; len(plan.Slices) at the end
	first   time.Time // begin of the first slice
	started time.Time
	dealt   []dealt        // by target of the slice
	lost    map[int]string // targets that get no more load, with the reason
	watch   watch
	report  hist.Slices
}

// dealt counts what a target got in a slice.
type dealt struct {
	started, open int64
	busy          time.Duration // time of its VUs with a stream
}

// A share is the next stream of a VU.
type share struct {
	targetURL
	level, sliceTag string
	slice, at       int // at is an index in the slice's targets
	started         time.Time
}

// set takes the plan from the first VU; all VUs have the same.
func (d *Dealer) set(text string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.given == text {
		return nil
	}
	if d.given != "" {
		return errors.New("another plan was given before")
	}
	var s schedule
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	d.plan, d.given = s, text
	d.lost, d.watch.pids, d.watch.cores = map[int]string{}, s.Watched, s.Cores
	d.report = hist.Slices{Planned: len(s.Slices), Slices: []hist.Slice{}, GivenUp: map[string]string{}}
	d.changed.L = &d.mu
	return nil
}

// next returns the next stream of a VU, counted from 0. ok is false at the end. last is the VU's
// stream before, if any, and hung says that it ran into its timeout.
func (d *Dealer) next(ctx context.Context, vu int, last *share, hung bool) (s share, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if last != nil {
		d.end(last, hung)
	}
	waits, asked := false, -1
	var due time.Time // of the slice in which the VU asked
	for ctx.Err() == nil && d.now < len(d.plan.Slices) {
		slice := d.plan.Slices[d.now]
		if d.started.IsZero() {
			d.begin()
		}
		// All decisions below use one instant. Otherwise a slice could be open for one and over for
		// the next, and this VU would wait for ever.
		now := time.Now()
		if d.over(now) {
			d.close()
			continue
		}
		if vu < slice.VUs*len(slice.Targets) {
			if asked != d.now {
				due, asked = d.due(vu, last, now), d.now
			}
			if early := due.Sub(now); early > 0 {
				d.mu.Unlock()
				select {
				case <-time.After(early):
				case <-ctx.Done():
				}
				d.mu.Lock()
				continue
			}
			if at := vu % len(slice.Targets); d.may(at, now) {
				d.dealt[at].started++
				d.dealt[at].open++
				return share{
					targetURL: d.plan.Targets[slice.Targets[at]], level: slice.Level, sliceTag: strconv.Itoa(d.now),
					slice: d.now, at: at, started: time.Now(),
				}, true
			}
		}
		if !waits { // wakes VUs that wait, at the end of the run
			waits = true
			defer context.AfterFunc(ctx, func() {
				d.mu.Lock()
				defer d.mu.Unlock()
				d.changed.Broadcast()
			})()
		}
		d.changed.Wait()
	}
	return share{}, false
}

// due returns when a VU of this slice begins its next stream. The first stream begins at the VU's
// place in the spread. Every other stream begins at once, after the pause.
func (d *Dealer) due(vu int, last *share, now time.Time) time.Time {
	slice := d.plan.Slices[d.now]
	if last == nil || last.slice != d.now {
		spread := time.Duration(slice.SpreadMS) * time.Millisecond
		now = d.started.Add(spread * time.Duration(vu) / time.Duration(slice.VUs*len(slice.Targets)))
	}
	return now.Add(time.Duration(rand.Float64() * float64(slice.PauseMS) * float64(time.Millisecond)))
}

// may reports whether a target of the slice gets another stream.
func (d *Dealer) may(at int, now time.Time) bool {
	slice := d.plan.Slices[d.now]
	if d.lost[slice.Targets[at]] != "" || slice.Streams > 0 && d.dealt[at].started >= slice.Streams {
		return false
	}
	return now.Sub(d.started) < time.Duration(slice.MS)*time.Millisecond
}

// over reports whether the slice is over: no stream is open and none may start.
func (d *Dealer) over(now time.Time) bool {
	for at := range d.dealt {
		if d.dealt[at].open > 0 || d.may(at, now) {
			return false
		}
	}
	return true
}

// end notes the end of a stream. A target whose stream hung gets no more load, since it would delay
// the end of each of its slices.
func (d *Dealer) end(s *share, hung bool) {
	of := &d.dealt[s.at]
	of.open--
	of.busy += time.Since(s.started)
	if target := d.plan.Slices[s.slice].Targets[s.at]; hung && d.lost[target] == "" {
		d.lost[target] = "a stream hung in slice " + s.sliceTag
		d.report.GivenUp[s.Name] = d.lost[target]
	}
}

func (d *Dealer) begin() {
	slice := d.plan.Slices[d.now]
	d.dealt = make([]dealt, len(slice.Targets))
	if d.now == 0 || d.plan.Slices[d.now-1].Level != slice.Level {
		d.watch.resetPeaks()
	}
	d.watch.begin()
	d.started = time.Now()
	if d.now == 0 {
		d.first = d.started
	}
}

func (d *Dealer) close() {
	slice := d.plan.Slices[d.now]
	// On the monotonic clock, since somebody may set the wall clock meanwhile.
	r := hist.Slice{
		Slice: d.now, Level: slice.Level, VUs: slice.VUs, StartedUnixMS: d.first.Add(d.started.Sub(d.first)).UnixMilli(), PlannedMS: slice.MS,
		TookMS: ms(time.Since(d.started)), BusyMS: map[string]float64{},
	}
	for at, i := range slice.Targets {
		name := d.plan.Targets[i].Name
		r.Targets = append(r.Targets, name)
		r.BusyMS[name] = ms(d.dealt[at].busy)
	}
	d.watch.end(&r)
	d.report.Slices = append(d.report.Slices, r)
	d.now, d.started = d.now+1, time.Time{}
	d.changed.Broadcast()
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
