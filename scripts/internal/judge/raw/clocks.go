package raw

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fairstream/k6/shared/hist"
)

// ClocksFile has what this machine read of the servers while another one loaded them.
const ClocksFile = "clocks.json"

// Clocks are the clocks of servers, in time on this machine's clock (Unix ms).
type Clocks struct {
	AheadMS float64     `json:"ahead_ms"` // how far the load machine's clock is before this one's
	Names   []string    `json:"names"`    // of processes
	AtMS    []float64   `json:"at_ms"`    // when their CPU time was read
	CPUMS   [][]float64 `json:"cpu_ms"`   // by process, then time; that of one that ended is shorter
	Machine []Reading   `json:"machine"`
}

// A Reading is what the machine said at one time.
type Reading struct {
	AtMS          float64  `json:"at_ms"`
	BusyMS        *float64 `json:"busy_ms"`  // of all cores since the boot; null is unknown
	StealMS       *float64 `json:"steal_ms"` // likewise
	PeakRSSBytes  []int64  `json:"peak_rss_bytes"`
	ReceivedBytes int64    `json:"received_bytes"` // by the network card since the boot
	SentBytes     int64    `json:"sent_bytes"`
}

// PartFile is the file of one of several k6 that shared a load, from 1 on. The first has the usual name.
func PartFile(path string, number int) string {
	if number == 1 {
		return path
	}
	return fmt.Sprintf("%s.%d.json", strings.TrimSuffix(path, ".json"), number)
}

// readParts reads a file of k6 with those of others that shared its load, and adds the clocks beside it.
func readParts(path string) (f file, err error) {
	var all []file
	for number := 1; ; number++ {
		data, err := os.ReadFile(PartFile(path, number))
		if number > 1 && errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return f, err
		}
		one, err := parse(data)
		if err != nil {
			return f, fmt.Errorf("%s: %w", filepath.Base(PartFile(path, number)), err)
		}
		all = append(all, one)
	}
	f = all[0]
	if f.Slices.Instance != nil {
		if err := together(all); err != nil {
			return f, fmt.Errorf("not measured: %w", err)
		}
		f = merged(all)
	}
	var clocks Clocks
	switch err := ReadJSON(filepath.Join(filepath.Dir(path), ClocksFile), &clocks); {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return f, err
	}
	if err := clocks.check(); err != nil {
		return f, fmt.Errorf("%s: %w", ClocksFile, err)
	}
	clocks.addTo(f.Slices.Slices)
	return f, nil
}

func (c Clocks) check() error {
	if len(c.CPUMS) != len(c.Names) {
		return fmt.Errorf("%d names and the clocks of %d processes", len(c.Names), len(c.CPUMS))
	}
	if !slices.IsSorted(c.AtMS) || slices.ContainsFunc(c.CPUMS, func(of []float64) bool { return len(of) > len(c.AtMS) }) {
		return errors.New("times go back, or there are fewer times than readings")
	}
	for _, r := range c.Machine {
		if len(r.PeakRSSBytes) != len(c.Names) {
			return fmt.Errorf("%d names and the memory of %d processes", len(c.Names), len(r.PeakRSSBytes))
		}
	}
	return nil
}

// addTo adds to slices what the servers and this machine used in them, and turns their times into those of our clock.
func (c Clocks) addTo(all []hist.Slice) {
	began := map[string]float64{} // levels, for peaks
	for i, s := range all {
		at := float64(s.StartedUnixMS) - c.AheadMS
		if _, known := began[s.Level]; !known {
			began[s.Level] = at
		}
		ours := c.slice(at, at+s.TookMS, began[s.Level])
		ours.StartedUnixMS, ours.TookMS = s.StartedUnixMS, s.TookMS
		all[i] = mergeSlices([]part{{s, hist.Instance{Machine: "load"}}, {ours, hist.Instance{Machine: "servers"}}})
		all[i].StartedUnixMS = int64(math.Round(at))
	}
}

// slice is what was used from begin to end. Peaks are those since the level began.
func (c Clocks) slice(begin, end, level float64) hist.Slice {
	s := hist.Slice{CPUMS: map[string]float64{}, PeakRSSBytes: map[string]int64{}, Lost: []string{}, K6WaitMS: new(float64)}
	for i, name := range c.Names {
		of := c.CPUMS[i]
		before, known := between(c.AtMS[:len(of)], of, begin)
		after, also := between(c.AtMS[:len(of)], of, end)
		if !known || !also {
			s.Lost = append(s.Lost, name)
			continue
		}
		s.CPUMS[name] = after - before
		if peak := c.peak(i, level, end); peak > 0 {
			s.PeakRSSBytes[name] = peak
		}
	}
	s.MachineBusyMS = c.used(begin, end, func(r Reading) *float64 { return r.BusyMS })
	s.MachineStealMS = c.used(begin, end, func(r Reading) *float64 { return r.StealMS })
	return s
}

// peak is the most memory of a process in readings from begin to end; 0 is unknown. The one after the end has the peak since the one
// before it.
func (c Clocks) peak(process int, begin, end float64) (most int64) {
	for i, r := range c.Machine {
		if r.AtMS > begin && (i == 0 || c.Machine[i-1].AtMS < end) {
			if r.PeakRSSBytes[process] <= 0 {
				return 0
			}
			most = max(most, r.PeakRSSBytes[process])
		}
	}
	return most
}

// used is the difference of a figure of the machine; nil is unknown.
func (c Clocks) used(begin, end float64, of func(Reading) *float64) *float64 {
	var at, values []float64
	for _, r := range c.Machine {
		v := of(r)
		if v == nil {
			return nil
		}
		at, values = append(at, r.AtMS), append(values, *v)
	}
	before, known := between(at, values, begin)
	after, also := between(at, values, end)
	if !known || !also {
		return nil
	}
	return new(after - before)
}

// between is the value at a time, on a straight line between the readings before and after it. It is unknown outside of them.
func between(at, values []float64, t float64) (v float64, known bool) {
	i, exact := slices.BinarySearch(at, t)
	switch {
	case exact:
		return values[i], true
	case i == 0 || i == len(at):
		return 0, false
	}
	share := (t - at[i-1]) / (at[i] - at[i-1])
	return values[i-1] + share*(values[i]-values[i-1]), true
}

// BusiestLink is the slice in which the network card carried most, in bits per second in its busier direction.
func (c Clocks) BusiestLink(all []hist.Slice) (level string, bitsPerS float64) {
	for _, s := range all { // with times of our clock
		begin := float64(s.StartedUnixMS)
		end := begin + s.TookMS
		for _, of := range []func(Reading) *float64{
			func(r Reading) *float64 { return new(float64(r.ReceivedBytes)) },
			func(r Reading) *float64 { return new(float64(r.SentBytes)) },
		} {
			if bytes := c.used(begin, end, of); bytes != nil && *bytes*8000/s.TookMS > bitsPerS {
				level, bitsPerS = s.Level, *bytes*8000/s.TookMS
			}
		}
	}
	return level, bitsPerS
}
