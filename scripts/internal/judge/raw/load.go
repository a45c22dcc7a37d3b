package raw

import (
	"fmt"
	"maps"
	"slices"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/files"
)

// A Load is what k6 saw of one target on one level, over all its slices. A stream is a request, too. Times
// cover complete requests only, and are nil without any.
type Load struct {
	Target, Level  string
	Discarded      bool // of slices that do not count, since another try of their cycles was calmer
	VUs            int
	Slices         int      // finished slices
	PlannedSeconds float64  // of its slices, without the wait for their last requests
	OwnSeconds     float64  // of its slices up to its own last request
	Seconds        float64  // duration of its slices
	BusySeconds    float64  // sum over VUs of the time with an open request
	Requests       int64    // complete requests
	Failed         int64    // failed and interrupted requests
	Broken         []string // reasons of failed requests, with their counts
	Request        *Times   // to the answer's last byte
	// Of streams only. In a workload of requests, a token is an event.
	TTFT       *Times // to the first token
	Itl        *Times // between tokens
	TokenDelay *Times // from the stub's sending of a token to its arrival; nil for events
	// Of plain requests only.
	Named []Named // requests with names, in their order; those of older files have none
	// AllNamed is the time of all requests with names; nil without any.
	AllNamed *Times
	allNamed hist.Counts
	TTFB     *Times // to the complete header
	Late     *Times // from the intended start to the first byte of the request; nil without a fixed arrival rate
	// FirstToken is the time to the first token where tokens have a name; then TTFT is that to any event.
	FirstToken *Times
	FanOut     *Times // from an event's arrival at the VU that began a stream to that at a follower
	// TurnGap is the server's own time between two turns of a run; nil where no turns are timed.
	TurnGap *Times
	// Unsent counts the requests that were due and that no connection could send in time; nil without a fixed
	// arrival rate.
	Unsent *int64
	Counts Counts
	// CPU time and peak memory of each watched process over the slices of the level. A process that ended is
	// unknown, and therefore missing.
	CPUSeconds   map[string]float64
	PeakRSSBytes map[string]int64
	// K6WaitSeconds sums how long threads of k6 waited for a core; nil: unknown.
	K6WaitSeconds *float64
	// CPU seconds of the whole machine in these slices; nil: unknown.
	MachineBusySeconds, MachineStealSeconds *float64
}

// Open reports whether requests arrived at a fixed rate, whatever the answers took (open model).
func (l Load) Open() bool { return l.Unsent != nil }

// Rate is the number of complete requests per second. At a fixed arrival rate all seconds count. Otherwise only
// the time counts in which every VU has a request. It leaves out the ramp at the start of a slice and the drain
// at its end.
func (l Load) Rate() float64 {
	if l.Open() {
		return float64(l.Requests) / l.Seconds
	}
	return float64(l.Requests) * float64(l.VUs) / l.BusySeconds
}

// Overrun says how many times as long as planned the slices lasted, up to the last request. In a slice that is short
// beside a request, the first request of each VU counts for much. It waits for fewer others, so Rate is too high.
func (l Load) Overrun() float64 { return l.OwnSeconds / l.PlannedSeconds }

// Times is a distribution of durations in ms. Mean and Max are exact, and percentiles within 0.1 %.
type Times struct {
	Mean, P50, P95, P99, Max float64
}

func newLoad(target string, slice hist.Slice) Load {
	l := Load{
		Target: target, Level: slice.Level, Discarded: slice.Discarded, VUs: slice.VUs,
		CPUSeconds: map[string]float64{}, PeakRSSBytes: map[string]int64{},
		K6WaitSeconds: new(float64), MachineBusySeconds: new(float64), MachineStealSeconds: new(float64),
	}
	l.Counts.Failed, l.Counts.Reasons, l.Counts.Tokens = map[string]int64{}, map[string]string{}, new(int64)
	if slice.Unsent != nil {
		l.Unsent = new(int64)
	}
	for name := range slice.CPUMS {
		l.CPUSeconds[name] = 0
	}
	for name := range slice.PeakRSSBytes {
		l.PeakRSSBytes[name] = 0
	}
	return l
}

// add counts one more slice.
func (l *Load) add(slice hist.Slice, c Counts) {
	l.Slices++
	l.Seconds += slice.TookMS / 1000
	l.BusySeconds += slice.BusyMS[l.Target] / 1000
	if l.Unsent != nil {
		*l.Unsent += slice.Unsent[l.Target]
	}
	l.PlannedSeconds += float64(slice.PlannedMS) / 1000
	l.OwnSeconds += took(slice, c) / 1000
	for name := range l.CPUSeconds {
		if used, known := slice.CPUMS[name]; known {
			l.CPUSeconds[name] += used / 1000
		} else {
			delete(l.CPUSeconds, name)
		}
	}
	for name, before := range l.PeakRSSBytes {
		if peak, known := slice.PeakRSSBytes[name]; known {
			l.PeakRSSBytes[name] = max(before, peak)
		} else {
			delete(l.PeakRSSBytes, name)
		}
	}
	addTo(&l.K6WaitSeconds, slice.K6WaitMS)
	addTo(&l.MachineBusySeconds, slice.MachineBusyMS)
	addTo(&l.MachineStealSeconds, slice.MachineStealMS)
	l.Counts.merge(c)
}

// took returns how long one target kept its slice going, in ms. Side by side a slice lasts until the requests
// of all targets end. A hanging target does not count against the others: their requests ended in time.
func took(slice hist.Slice, c Counts) float64 {
	if len(slice.Targets) == 1 {
		return slice.TookMS
	}
	return min(slice.TookMS, float64(slice.PlannedMS)+float64(c.Request.MaxUS)/1000)
}

// addTo adds milliseconds to a sum of seconds. One unknown value makes the sum unknown.
func addTo(seconds **float64, ms *float64) {
	if ms == nil {
		*seconds = nil
	} else if *seconds != nil {
		**seconds += *ms / 1000
	}
}

// conclude computes the figures that are not sums.
func (l *Load) conclude() {
	l.shareTime()
	c := l.Counts
	l.Requests = c.OK
	for _, kind := range slices.Sorted(maps.Keys(c.Failed)) {
		l.Failed += c.Failed[kind]
		l.Broken = append(l.Broken, fmt.Sprintf("%d x %s%s", c.Failed[kind], kind, reason(c.Failed[kind], c.Reasons[kind])))
	}
	if lost := c.Started - l.Requests - l.Failed; lost > 0 {
		l.Failed += lost
		l.Broken = append(l.Broken, fmt.Sprintf("%d x no end", lost))
	}
	l.Request, l.TTFT, l.Itl, l.TTFB, l.Late = TimesOf(c.Request), TimesOf(c.TTFT), TimesOf(c.Itl), TimesOf(c.TTFB), TimesOf(c.Late)
	l.FirstToken, l.FanOut, l.AllNamed = TimesOf(c.FirstToken), TimesOf(c.FanOut), TimesOf(l.allNamed)
	if c.NegativeTokenDelay == 0 {
		l.TokenDelay = TimesOf(c.TokenDelay)
	}
}

// reason returns the text of the first of n failures, in brackets.
func reason(n int64, first string) string {
	switch {
	case first == "":
		return ""
	case n > 1:
		return " (first: " + files.Harmless(first) + ")"
	}
	return " (" + files.Harmless(first) + ")"
}

// TimesOf turns counts of microseconds into a distribution; nil without any.
func TimesOf(c hist.Counts) *Times {
	if c.Count == 0 {
		return nil
	}
	return &Times{
		Mean: c.MeanUS() / 1000, P50: c.QuantileUS(0.5) / 1000, P95: c.QuantileUS(0.95) / 1000,
		P99: c.QuantileUS(0.99) / 1000, Max: float64(c.MaxUS) / 1000,
	}
}
