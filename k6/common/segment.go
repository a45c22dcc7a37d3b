package common

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"go.k6.io/k6/lib"

	"fairstream/k6/shared/hist"
)

// A Segment is the part of the load that one instance of k6 has, as --execution-segment says. The
// zero value is the whole load. VUs of a target are numbered over all instances, and k6's stripes
// say which numbers are this instance's. All else follows from them, so no sum needs rounding.
type Segment struct {
	tuple *lib.ExecutionTuple
	cycle int64
	own   []int64 // the numbers of this instance in each cycle
}

func newSegment(o lib.Options) (Segment, error) {
	tuple, err := lib.NewExecutionTuple(o.ExecutionSegment, o.ExecutionSegmentSequence)
	if err != nil {
		return Segment{}, err
	}
	at, steps, cycle := tuple.GetStripedOffsets()
	s := Segment{tuple: tuple, cycle: cycle}
	for _, step := range steps {
		s.own = append(s.own, at)
		at += step
	}
	return s, nil
}

// Whole reports whether no other instance has a part.
func (s Segment) Whole() bool { return s.tuple == nil || int64(len(s.own)) == s.cycle }

// Scale is how many of the numbers below n are this instance's.
func (s Segment) Scale(n int64) int64 {
	if s.Whole() {
		return n
	}
	return s.tuple.ScaleInt64(n)
}

// Nth is this instance's number k, from 0 on.
func (s Segment) Nth(k int64) int64 {
	if s.Whole() {
		return k
	}
	most := int64(len(s.own))
	return k/most*s.cycle + s.own[k%most]
}

// Request or arrival n of a target in a slice belongs to the VU n modulo VUs. own is how many of n
// belong to this instance, and whose is the number of its k-th among all.
func (s Segment) owned(n, vus int64) int64 { return n/vus*s.Scale(vus) + s.Scale(n%vus) }

func (s Segment) whose(k, vus int64) int64 {
	most := s.Scale(vus)
	return k/most*vus + s.Nth(k%most)
}

// Instances do not talk. Each begins the schedule at the same time of the wall clock: start_at_ms,
// or the next whole startGrid that is at least startAhead away. A slice has its time and drain_ms,
// in which its last requests end.
const (
	startGrid  = 10 * time.Second
	startAhead = time.Second
	// mostLate is how late a slice may begin. An instance that is later ends its load, since targets
	// did not get the load that the schedule says.
	mostLate = 100 * time.Millisecond
)

// begins makes the schedule one of several instances.
func (r *run) begins(now time.Time) error {
	if r.DrainMS < 1 {
		return fmt.Errorf("drain_ms %d: want time for the last requests of a slice: instances do not wait for each other",
			r.DrainMS)
	}
	at := now.Add(startAhead).Truncate(startGrid).Add(startGrid)
	if r.StartAtMS > 0 {
		at = time.UnixMilli(r.StartAtMS)
	}
	// On the monotonic clock, as in end.
	r.planned = now.Add(at.Sub(now.Round(0)))
	sequence := r.Segment.tuple.Sequence
	r.report.Instance = &hist.Instance{
		Segment:  sequence.ExecutionSegmentSequence[r.Segment.tuple.SegmentIndex].String(),
		Sequence: sequence.String(), Schedule: r.sum(),
		StartUnixMS: at.UnixMilli(), Machine: machineID(),
	}
	return nil
}

// sum identifies what all instances must share.
func (s Schedule) sum() string {
	names := []string{}
	for _, t := range s.Targets {
		names = append(names, t.Name)
	}
	text, _ := json.Marshal([]any{names, s.Slices, s.DrainMS}) // of plain types, so it cannot fail
	return fmt.Sprintf("%x", sha256.Sum256(text))[:16]
}

// machineID tells machines apart until they boot again; "" is unknown.
func machineID() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // absent is unknown
	return strings.TrimSpace(string(id))
}

// due waits for the planned begin of the next slice, after number others. It reports whether that
// is in time. Without instances it is now.
func (r *run) due(ctx context.Context, number int) bool {
	if r.report.Instance == nil {
		return true
	}
	late := time.Since(r.planned)
	if number > 0 && late > 0 {
		r.lag("slice %d ended %v after its %d ms and drain_ms of %d", number-1, late, r.Slices[number-1].MS, r.DrainMS)
		return false
	}
	if number == len(r.Slices) {
		return true
	}
	if !waits(ctx, -late) {
		return false
	}
	if late = time.Since(r.planned); late > mostLate {
		r.lag("slice %d began %v late; want at most %v", number, late, mostLate)
		return false
	}
	r.planned = r.planned.Add(time.Duration(r.Slices[number].MS+r.DrainMS) * time.Millisecond)
	return true
}

// waits waits, and reports whether the load goes on.
func waits(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func (r *run) lag(format string, of ...any) {
	for i, v := range of {
		if d, ok := v.(time.Duration); ok {
			of[i] = d.Round(time.Millisecond)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Instance.Late = fmt.Sprintf(format, of...)
}
