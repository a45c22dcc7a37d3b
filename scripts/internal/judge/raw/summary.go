package raw

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"fairstream/k6/shared/hist"
	"fairstream/k6/shared/strict"
	"fairstream/scripts/internal/workload"
)

// A Summary is the output of k6 for one job.
type Summary struct {
	Unit    string               // workload.Stream or workload.Request
	Slices  []hist.Slice         // finished slices, in order
	Rates   []map[string]float64 // in each slice that counts, by target: requests per second
	Planned int                  // slices, with repeated ones
	Loads   []Load               // of each target and level, in the order of their first slices; discarded ones apart
	GivenUp map[string]string
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

// A key identifies a series within a file.
type key struct{ target, slice string }

// ParseSummary decodes the file that a k6 script writes at its end. The file of a load of streams has the key
// histograms, and that of a load of requests has the key requests.
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
	Histograms *hist.Report   `json:"histograms"`
	Requests   *hist.Requests `json:"requests"`
	unit       string
	series     map[key]Counts
}

func parse(data []byte) (f file, err error) {
	if err := strict.Decode(data, &f); err != nil {
		return file{}, err
	}
	layout := ""
	f.series = map[key]Counts{}
	switch {
	case (f.Histograms == nil) == (f.Requests == nil):
		return file{}, errors.New("want one of the keys histograms and requests, for streams or for requests")
	case f.Histograms != nil:
		f.unit, layout = workload.Stream, f.Histograms.Layout
		for _, in := range f.Histograms.Series {
			f.series[key{in.Target, in.Slice}] = ofStreams(in)
		}
	default:
		f.unit, layout = workload.Request, f.Requests.Layout
		for _, in := range f.Requests.Series {
			f.series[key{in.Target, in.Slice}] = ofRequests(in)
		}
	}
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
	s := Summary{Unit: f.unit, Slices: f.Slices.Slices, Planned: f.Slices.Planned, GivenUp: f.Slices.GivenUp}
	for _, slice := range s.Slices {
		if slice.TookMS <= 0 || slice.PlannedMS <= 0 || slice.VUs < 1 {
			return Summary{}, fmt.Errorf("slice %d: %d VUs, %d ms planned, %g ms taken; want some of each", slice.Slice, slice.VUs, slice.PlannedMS, slice.TookMS)
		}
		s.add(slice, f.series)
	}
	if err := checkCycles(s.Slices, len(s.Slices) == s.Planned); err != nil {
		return Summary{}, err
	}
	if f.Requests != nil {
		if err := s.addNamed(f.Requests.Named); err != nil {
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
