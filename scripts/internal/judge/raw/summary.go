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
)

// A Summary is what k6 saw of a job.
type Summary struct {
	Turns   []hist.Turn          // those that were finished, in their order
	Rates   []map[string]float64 // in each turn, by target: streams per second in which all its VUs have one
	Planned int                  // turns
	Loads   []Load               // of each target and plateau, in order of their first turn
	GivenUp map[string]string
}

// A Load is what k6 saw of one target on one plateau, over all its turns. Times
// count only streams that were whole; each is nil when there was none.
type Load struct {
	Target, Plateau string
	VUs             int
	Turns, Overruns int      // an overrun's last stream came half as late again as its time was long
	Seconds         float64  // that its turns took
	BusySeconds     float64  // that its VUs had a stream, summed
	Streams         int64    // that were whole
	Failed          int64    // that were not, or were interrupted
	Broken          []string // what was wrong with those, with how often
	Stream          *Times   // from the request's first byte to the answer's last
	TTFT            *Times   // to the first token
	Gap             *Times   // between tokens
	Transit         *Times   // from the stub's sending of a token to its arrival
	Counts          hist.Series
	// Of each watched process, over the turns: CPU time, and the most memory
	// that it held on the plateau. Unknown, so absent, when it ended in between.
	CPUSeconds   map[string]float64
	PeakRSSBytes map[string]int64
	// K6WaitSeconds is how long threads of k6 waited for a core; nil is unknown.
	K6WaitSeconds *float64
	// What the machine did in its turns, in all programs, in seconds of cores; nil is unknown.
	MachineBusySeconds, MachineStealSeconds *float64
}

// WarmUp is the plateau of the warm-up.
const WarmUp = "warm-up"

// Times is a distribution of durations, in ms. Mean and Max are exact,
// percentiles within 0.1 %.
type Times struct {
	Mean, P50, P95, P99, Max float64
}

// Load finds a target's on a plateau.
func (s Summary) Load(target, plateau string) (Load, bool) {
	i := slices.IndexFunc(s.Loads, func(l Load) bool { return l.Target == target && l.Plateau == plateau })
	if i < 0 {
		return Load{}, false
	}
	return s.Loads[i], true
}

// ReadSummary reads the file that k6 wrote.
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

// ParseSummary reads the file that handleSummary of lib/stream.js writes.
func ParseSummary(data []byte) (Summary, error) {
	var file struct {
		Turns      hist.Turns  `json:"turns"`
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
	s := Summary{Turns: file.Turns.Turns, Planned: file.Turns.Planned, GivenUp: file.Turns.GivenUp}
	for _, turn := range s.Turns {
		if turn.TookMS <= 0 || turn.PlannedMS <= 0 || turn.VUs < 1 {
			return Summary{}, fmt.Errorf("turn %d: %d VUs, %d ms planned, %g ms taken; want some of each", turn.Turn, turn.VUs, turn.PlannedMS, turn.TookMS)
		}
		rates := map[string]float64{}
		s.Rates = append(s.Rates, rates)
		for _, target := range turn.Targets {
			in := series[key{target, strconv.Itoa(turn.Turn)}]
			if busy := turn.BusyMS[target]; busy > 0 {
				rates[target] = 1000 * float64(in.OK) * float64(turn.VUs) / busy
			}
			i := slices.IndexFunc(s.Loads, func(l Load) bool { return l.Target == target && l.Plateau == turn.Plateau })
			if i < 0 {
				i = len(s.Loads)
				s.Loads = append(s.Loads, newLoad(target, turn))
			}
			s.Loads[i].add(turn, in)
		}
	}
	for i := range s.Loads {
		s.Loads[i].conclude()
	}
	return s, nil
}

func newLoad(target string, turn hist.Turn) Load {
	l := Load{Target: target, Plateau: turn.Plateau, VUs: turn.VUs, CPUSeconds: map[string]float64{}, PeakRSSBytes: map[string]int64{}, K6WaitSeconds: new(float64), MachineBusySeconds: new(float64), MachineStealSeconds: new(float64)}
	l.Counts.Failed, l.Counts.Tokens = map[string]int64{}, new(int64)
	for name := range turn.CPUMS {
		l.CPUSeconds[name] = 0
	}
	for name := range turn.PeakRSSBytes {
		l.PeakRSSBytes[name] = 0
	}
	return l
}

// add counts one more turn.
func (l *Load) add(turn hist.Turn, s hist.Series) {
	l.Turns++
	l.Seconds += turn.TookMS / 1000
	l.BusySeconds += turn.BusyMS[l.Target] / 1000
	if turn.Plateau != WarmUp && took(turn, s) > 1.5*float64(turn.PlannedMS) {
		l.Overruns++
	}
	for name := range l.CPUSeconds {
		if used, known := turn.CPUMS[name]; known {
			l.CPUSeconds[name] += used / 1000
		} else {
			delete(l.CPUSeconds, name)
		}
	}
	for name, before := range l.PeakRSSBytes {
		if peak, known := turn.PeakRSSBytes[name]; known {
			l.PeakRSSBytes[name] = max(before, peak)
		} else {
			delete(l.PeakRSSBytes, name)
		}
	}
	addTo(&l.K6WaitSeconds, turn.K6WaitMS)
	addTo(&l.MachineBusySeconds, turn.MachineBusyMS)
	addTo(&l.MachineStealSeconds, turn.MachineStealMS)
	c := &l.Counts
	if s.Tokens != nil && c.Tokens != nil {
		*c.Tokens, c.Doubled = *c.Tokens+*s.Tokens, c.Doubled+s.Doubled
	} else if s.Begun > 0 { // a turn without a stream has no series
		c.Tokens = nil
	}
	c.Begun, c.OK, c.NegativeTransit = c.Begun+s.Begun, c.OK+s.OK, c.NegativeTransit+s.NegativeTransit
	for kind, n := range s.Failed {
		c.Failed[kind] += n
	}
	c.Stream.Merge(s.Stream)
	c.TTFT.Merge(s.TTFT)
	c.Gap.Merge(s.Gap)
	c.Transit.Merge(s.Transit)
}

// took is how long a turn took because of one of its targets, in ms. Side by side it
// lasts until the streams of all have ended, and one that hangs is not the others'
// doing: theirs were begun in time, and so ended when the longest can have.
func took(turn hist.Turn, s hist.Series) float64 {
	if len(turn.Targets) == 1 {
		return turn.TookMS
	}
	return min(turn.TookMS, float64(turn.PlannedMS)+float64(s.Stream.MaxUS)/1000)
}

// addTo adds milliseconds to a sum of seconds, which is unknown once one of them is.
func addTo(seconds **float64, ms *float64) {
	if ms == nil {
		*seconds = nil
	} else if *seconds != nil {
		**seconds += *ms / 1000
	}
}

// conclude works out what is not a sum.
func (l *Load) conclude() {
	c := l.Counts
	l.Streams = c.OK
	for _, kind := range slices.Sorted(maps.Keys(c.Failed)) {
		l.Failed += c.Failed[kind]
		l.Broken = append(l.Broken, fmt.Sprintf("%d times %q", c.Failed[kind], kind))
	}
	if lost := c.Begun - l.Streams - l.Failed; lost > 0 {
		l.Failed += lost
		l.Broken = append(l.Broken, fmt.Sprintf("%d times no end", lost))
	}
	l.Stream, l.TTFT, l.Gap = times(c.Stream), times(c.TTFT), times(c.Gap)
	if c.NegativeTransit == 0 {
		l.Transit = times(c.Transit)
	}
}

// times are of counts in microseconds; nil when there are none.
func times(c hist.Counts) *Times {
	if c.Count == 0 {
		return nil
	}
	return &Times{
		Mean: c.MeanUS() / 1000, P50: c.QuantileUS(0.5) / 1000, P95: c.QuantileUS(0.95) / 1000,
		P99: c.QuantileUS(0.99) / 1000, Max: float64(c.MaxUS) / 1000,
	}
}
