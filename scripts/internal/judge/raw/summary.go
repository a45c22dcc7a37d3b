package raw

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"fairstream/k6/common/hist"
	"fairstream/scripts/internal/files/jsonl"
	"fairstream/scripts/internal/files/logs"
)

// A Summary is the output of k6 for one job.
type Summary struct {
	Slices  []hist.Slice         // finished slices, in order
	Rates   []map[string]float64 // in each slice, by target: streams per second while all VUs have one
	Planned int                  // finished slices
	Loads   []Load               // of each target and level, in the order of their first slices
	GivenUp map[string]string
}

// A Load is what k6 saw of one target on one level, over all its slices. Times cover complete streams only,
// and are nil without any.
type Load struct {
	Target, Level    string
	VUs              int
	Slices, Overruns int      // finished slices; those over 1.5 times the planned time
	Seconds          float64  // duration of its slices
	BusySeconds      float64  // sum over VUs of the time with an open stream
	Streams          int64    // complete streams
	Failed           int64    // failed and interrupted streams
	Broken           []string // reasons of failed streams, with their counts
	Stream           *Times   // from the request's first byte to the answer's last byte
	TTFT             *Times   // from the request's first byte to the first token
	Itl              *Times   // between tokens
	TokenDelay       *Times   // from the stub's sending of a token to its arrival
	Counts           hist.Series
	// CPU time and peak memory of each watched process over the slices of the level. A process that ended is
	// unknown, and therefore missing.
	CPUSeconds   map[string]float64
	PeakRSSBytes map[string]int64
	// K6WaitSeconds sums how long threads of k6 waited for a core; nil: unknown.
	K6WaitSeconds *float64
	// CPU seconds of the whole machine in these slices; nil: unknown.
	MachineBusySeconds, MachineStealSeconds *float64
}

// WarmUp is the name of the warm-up's level.
const WarmUp = "warm-up"

// Times is a distribution of durations in ms. Mean and Max are exact, and percentiles within 0.1 %.
type Times struct {
	Mean, P50, P95, P99, Max float64
}

// Load returns the load of a target on a level.
func (s Summary) Load(target, level string) (Load, bool) {
	i := slices.IndexFunc(s.Loads, func(l Load) bool { return l.Target == target && l.Level == level })
	if i < 0 {
		return Load{}, false
	}
	return s.Loads[i], true
}

// ReadSummary reads a file of k6.
func ReadSummary(path string) (Summary, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Summary{}, err
	}
	s, err := ParseSummary(data)
	if err != nil {
		return s, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return s, nil
}

// ParseSummary decodes what handleSummary of lib/stream.js writes.
func ParseSummary(data []byte) (Summary, error) {
	var file struct {
		Slices     hist.Slices `json:"slices"`
		Histograms hist.Report `json:"histograms"`
	}
	if err := jsonl.Strict(data, &file); err != nil {
		return Summary{}, err
	}
	if file.Histograms.Layout != hist.Layout {
		return Summary{}, fmt.Errorf("layout is %q; want %s", file.Histograms.Layout, hist.Layout)
	}
	type key struct{ target, slice string }
	series := map[key]hist.Series{}
	for _, s := range file.Histograms.Series {
		if s.OK < 0 || uint64(s.OK) != s.Stream.Count {
			return Summary{}, fmt.Errorf("%s, slice %s: %d streams were whole, and %d have a time", s.Target, s.Slice, s.OK, s.Stream.Count)
		}
		series[key{s.Target, s.Slice}] = s
	}
	s := Summary{Slices: file.Slices.Slices, Planned: file.Slices.Planned, GivenUp: file.Slices.GivenUp}
	for _, slice := range s.Slices {
		if slice.TookMS <= 0 || slice.PlannedMS <= 0 || slice.VUs < 1 {
			return Summary{}, fmt.Errorf("slice %d: %d VUs, %d ms planned, %g ms taken; want some of each", slice.Slice, slice.VUs, slice.PlannedMS, slice.TookMS)
		}
		rates := map[string]float64{}
		s.Rates = append(s.Rates, rates)
		for _, target := range slice.Targets {
			in := series[key{target, strconv.Itoa(slice.Slice)}]
			if busy := slice.BusyMS[target]; busy > 0 {
				rates[target] = 1000 * float64(in.OK) * float64(slice.VUs) / busy
			}
			i := slices.IndexFunc(s.Loads, func(l Load) bool { return l.Target == target && l.Level == slice.Level })
			if i < 0 {
				i = len(s.Loads)
				s.Loads = append(s.Loads, newLoad(target, slice))
			}
			s.Loads[i].add(slice, in)
		}
	}
	for i := range s.Loads {
		s.Loads[i].conclude()
	}
	return s, nil
}

func newLoad(target string, slice hist.Slice) Load {
	l := Load{Target: target, Level: slice.Level, VUs: slice.VUs, CPUSeconds: map[string]float64{}, PeakRSSBytes: map[string]int64{}, K6WaitSeconds: new(float64), MachineBusySeconds: new(float64), MachineStealSeconds: new(float64)}
	l.Counts.Failed, l.Counts.Reasons, l.Counts.Tokens = map[string]int64{}, map[string]string{}, new(int64)
	for name := range slice.CPUMS {
		l.CPUSeconds[name] = 0
	}
	for name := range slice.PeakRSSBytes {
		l.PeakRSSBytes[name] = 0
	}
	return l
}

// add counts one more slice.
func (l *Load) add(slice hist.Slice, s hist.Series) {
	l.Slices++
	l.Seconds += slice.TookMS / 1000
	l.BusySeconds += slice.BusyMS[l.Target] / 1000
	if slice.Level != WarmUp && took(slice, s) > 1.5*float64(slice.PlannedMS) {
		l.Overruns++
	}
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
	c := &l.Counts
	if s.Tokens != nil && c.Tokens != nil {
		*c.Tokens, c.Doubled = *c.Tokens+*s.Tokens, c.Doubled+s.Doubled
	} else if s.Started > 0 { // k6 writes no series for a slice without a stream
		c.Tokens = nil
	}
	c.Started, c.OK, c.NegativeTokenDelay = c.Started+s.Started, c.OK+s.OK, c.NegativeTokenDelay+s.NegativeTokenDelay
	for kind, n := range s.Failed {
		if c.Failed[kind] == 0 && s.Reasons[kind] != "" {
			c.Reasons[kind] = s.Reasons[kind]
		}
		c.Failed[kind] += n
	}
	c.Stream.Merge(s.Stream)
	c.TTFT.Merge(s.TTFT)
	c.Itl.Merge(s.Itl)
	c.TokenDelay.Merge(s.TokenDelay)
}

// took returns how long one target kept its slice going, in ms. Side by side a slice lasts until the streams
// of all targets end. A hanging target does not count against the others: their streams ended in time.
func took(slice hist.Slice, s hist.Series) float64 {
	if len(slice.Targets) == 1 {
		return slice.TookMS
	}
	return min(slice.TookMS, float64(slice.PlannedMS)+float64(s.Stream.MaxUS)/1000)
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
	c := l.Counts
	l.Streams = c.OK
	for _, kind := range slices.Sorted(maps.Keys(c.Failed)) {
		l.Failed += c.Failed[kind]
		l.Broken = append(l.Broken, fmt.Sprintf("%d x %s%s", c.Failed[kind], kind, reason(c.Failed[kind], c.Reasons[kind])))
	}
	if lost := c.Started - l.Streams - l.Failed; lost > 0 {
		l.Failed += lost
		l.Broken = append(l.Broken, fmt.Sprintf("%d x no end", lost))
	}
	l.Stream, l.TTFT, l.Itl = times(c.Stream), times(c.TTFT), times(c.Itl)
	if c.NegativeTokenDelay == 0 {
		l.TokenDelay = times(c.TokenDelay)
	}
}

// reason returns the text of the first of n failures, in brackets.
func reason(n int64, first string) string {
	switch {
	case first == "":
		return ""
	case n > 1:
		return " (first: " + logs.Harmless(first) + ")"
	}
	return " (" + logs.Harmless(first) + ")"
}

// times turns counts of microseconds into a distribution; nil without any.
func times(c hist.Counts) *Times {
	if c.Count == 0 {
		return nil
	}
	return &Times{
		Mean: c.MeanUS() / 1000, P50: c.QuantileUS(0.5) / 1000, P95: c.QuantileUS(0.95) / 1000,
		P99: c.QuantileUS(0.99) / 1000, Max: float64(c.MaxUS) / 1000,
	}
}
