package raw

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"fairstream/k6/shared/hist"
	"fairstream/k6/shared/strict"
	"fairstream/scripts/internal/workload"
)

// A Summary is the output of k6 for one job.
type Summary struct {
	Unit    string               // one of workload.Units
	Slices  []hist.Slice         // finished slices, in order
	Rates   []map[string]float64 // in each slice that counts, by target: requests per second
	Planned int                  // slices, with repeated ones
	Loads   []Load               // of each target and level, in the order of their first slices; discarded ones apart
	GivenUp map[string]string
	Scripts map[string]hist.Script // by target, where each has a script of its own
}

// WarmUp is the name of the warm-up's level.
const WarmUp = "warm-up"

// Load returns the load of a target on a level, without discarded slices.
func (s Summary) Load(target, level string) (Load, bool) {
	i := s.find(target, level, false)
	if i < 0 {
		return Load{}, false
	}
	return s.Loads[i], true
}

// find returns the index of a load; -1: there is none.
func (s Summary) find(target, level string, discarded bool) int {
	return slices.IndexFunc(s.Loads, func(l Load) bool {
		return l.Target == target && l.Level == level && l.Discarded == discarded
	})
}

// ReadSummary reads a file of k6. Beside it may be those of others that shared its load, and the clocks of servers that k6 could
// not read.
func ReadSummary(path string) (Summary, error) {
	f, err := readParts(path)
	if err != nil {
		return Summary{}, err
	}
	s, err := f.summary()
	if err != nil {
		return s, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return s, nil
}

// A key identifies a series within a file.
type key struct{ target, slice string }

// ParseSummary decodes the file that k6 writes at its end. The file of a load of streams has the key histograms, that of a
// load of requests has the key requests, and that of a script of a server's own has the key iterations.
func ParseSummary(data []byte) (Summary, error) {
	f, err := parse(data)
	if err != nil {
		return Summary{}, err
	}
	if of := f.Slices.Instance; of != nil {
		return Summary{}, fmt.Errorf("it is of instance %s of %s: want those of all, merged", of.Segment, of.Sequence)
	}
	return f.summary()
}

// A file is what a k6 script writes at its end.
type file struct {
	Slices     hist.Slices    `json:"slices"`
	Histograms *hist.Report   `json:"histograms,omitempty"`
	Requests   *hist.Requests `json:"requests,omitempty"`
	Iterations *hist.Requests `json:"iterations,omitempty"`
	// Scripts are what scripts of servers' own did beside their figures, by target.
	Scripts map[string]hist.Script `json:"scripts,omitempty"`

	unit   string
	series map[key]Counts
}

func parse(data []byte) (f file, err error) {
	if err := strict.Decode(data, &f); err != nil {
		return file{}, err
	}
	var layouts []string
	f.series = map[key]Counts{}
	if f.Histograms != nil {
		f.unit, layouts = workload.Stream, append(layouts, f.Histograms.Layout)
		for _, in := range f.Histograms.Series {
			f.series[key{in.Target, in.Slice}] = ofStreams(in)
		}
	}
	for unit, all := range map[string]*hist.Requests{workload.Request: f.Requests, workload.Iteration: f.Iterations} {
		if all == nil {
			continue
		}
		f.unit, layouts = unit, append(layouts, all.Layout)
		for _, in := range all.Series {
			f.series[key{in.Target, in.Slice}] = ofRequests(in)
		}
	}
	if len(layouts) != 1 {
		return file{}, errors.New("want one of the keys histograms, requests and iterations, for what a load consists of")
	}
	layout := layouts[0]
	if layout != hist.Layout {
		return file{}, fmt.Errorf("layout is %q; want %s", layout, hist.Layout)
	}
	for of, c := range f.series {
		if c.OK < 0 || uint64(c.OK) != c.Request.Count {
			return file{}, fmt.Errorf("%s, slice %s: %d %ss were complete, and %d have a time", of.target, of.slice, c.OK, f.unit, c.Request.Count)
		}
	}
	return f, nil
}

// summary counts the slices.
func (f file) summary() (Summary, error) {
	s := Summary{Unit: f.unit, Slices: f.Slices.Slices, Planned: f.Slices.Planned, GivenUp: f.Slices.GivenUp, Scripts: f.Scripts}
	for _, slice := range s.Slices {
		if slice.TookMS <= 0 || slice.PlannedMS <= 0 || slice.VUs < 1 {
			return Summary{}, fmt.Errorf("slice %d: %d VUs, %d ms planned, %g ms taken; want some of each", slice.Slice, slice.VUs, slice.PlannedMS, slice.TookMS)
		}
		s.add(slice, f.series)
	}
	if err := checkCycles(s.Slices, len(s.Slices) == s.Planned); err != nil {
		return Summary{}, err
	}
	for _, of := range []*hist.Requests{f.Requests, f.Iterations} {
		if of == nil {
			continue
		}
		if err := s.addNamed(of.Named); err != nil {
			return Summary{}, err
		}
	}
	for i := range s.Loads {
		s.Loads[i].conclude()
	}
	return s, nil
}

// add counts one more slice for each of its targets.
func (s *Summary) add(slice hist.Slice, series map[key]Counts) {
	rates := map[string]float64{}
	s.Rates = append(s.Rates, rates)
	for _, target := range slice.Targets {
		in := series[key{target, strconv.Itoa(slice.Slice)}]
		switch busy := slice.BusyMS[target]; {
		case slice.Discarded: // it has no rate, since it does not count
		case slice.Unsent != nil:
			rates[target] = 1000 * float64(in.OK) / slice.TookMS
		case busy > 0:
			rates[target] = 1000 * float64(in.OK) * float64(slice.VUs) / busy
		}
		i := s.find(target, slice.Level, slice.Discarded)
		if i < 0 {
			i = len(s.Loads)
			s.Loads = append(s.Loads, newLoad(target, slice))
		}
		s.Loads[i].add(slice, in)
	}
}
