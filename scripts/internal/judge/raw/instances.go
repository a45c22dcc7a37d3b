package raw

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fairstream/k6/shared/hist"
)

// MergeSummaries makes one summary of the files that all instances of one load wrote, in any order. Counts are
// added, histograms by bucket, so percentiles are those of all requests. An error says why the load is not
// measured: an instance that is missing, ended early, lagged, or loaded something else.
func MergeSummaries(files ...[]byte) (Summary, error) {
	all := make([]file, len(files))
	for i, data := range files {
		var err error
		if all[i], err = parse(data); err != nil {
			return Summary{}, fmt.Errorf("not measured: summary %d of %d: %w", i+1, len(files), err)
		}
	}
	if err := together(all); err != nil {
		return Summary{}, fmt.Errorf("not measured: %w", err)
	}
	return merged(all).summary()
}

// together checks that files are of all instances of one load, each once, and that each is whole.
func together(all []file) error {
	if len(all) == 0 {
		return errors.New("no summary")
	}
	byPart, first := map[string]bool{}, all[0].Slices.Instance
	for i, f := range all {
		of := f.Slices.Instance
		switch {
		case of == nil:
			return fmt.Errorf("summary %d of %d is of no instance: want --execution-segment, and INSTANCES", i+1, len(all))
		case byPart[of.Segment]:
			return fmt.Errorf("two summaries of instance %s", of.Segment)
		case of.Sequence != first.Sequence:
			return fmt.Errorf("instance %s is of %s, and instance %s of %s; want one sequence",
				of.Segment, of.Sequence, first.Segment, first.Sequence)
		case of.Schedule != first.Schedule || f.unit != all[0].unit || f.Slices.Planned != all[0].Slices.Planned:
			return fmt.Errorf("instances %s and %s have other schedules: want the same script and variables",
				first.Segment, of.Segment)
		case of.Late != "":
			return fmt.Errorf("instance %s lagged: %s", of.Segment, of.Late)
		case of.StartUnixMS != first.StartUnixMS:
			return fmt.Errorf("instance %s began %d ms after instance %s: want one START_AT",
				of.Segment, of.StartUnixMS-first.StartUnixMS, first.Segment)
		case slices.ContainsFunc(f.Slices.Slices, func(s hist.Slice) bool { return s.Discarded }):
			return fmt.Errorf("instance %s discarded a cycle; want the slices of the schedule only", of.Segment)
		case len(f.Slices.Slices) != f.Slices.Planned:
			return fmt.Errorf("instance %s ended after %d of %d slices", of.Segment, len(f.Slices.Slices), f.Slices.Planned)
		}
		byPart[of.Segment] = true
	}
	points := strings.Split(first.Sequence, ",")
	for i := range points[1:] {
		part := points[i] + ":" + points[i+1]
		if !byPart[part] {
			return fmt.Errorf("no summary of instance %s", part)
		}
		delete(byPart, part)
	}
	for part := range byPart {
		return fmt.Errorf("instance %s is not in %s", part, first.Sequence)
	}
	return nil
}

// merged makes one file of files that belong together.
func merged(all []file) file {
	out := file{unit: all[0].unit, series: map[key]Counts{}}
	out.Slices = hist.Slices{Planned: all[0].Slices.Planned, GivenUp: map[string]string{}}
	for _, f := range all {
		maps.Copy(out.Slices.GivenUp, f.Slices.GivenUp)
		for k, c := range f.series {
			sum, ok := out.series[k]
			if !ok {
				sum = Counts{Failed: map[string]int64{}, Reasons: map[string]string{}, Tokens: new(int64)}
			}
			sum.merge(c)
			out.series[k] = sum
		}
	}
	out.Requests = &hist.Requests{Named: mergeNamed(all)}
	for i := range out.Slices.Planned {
		parts := make([]part, len(all))
		for j, f := range all {
			parts[j] = part{f.Slices.Slices[i], *f.Slices.Instance}
		}
		out.Slices.Slices = append(out.Slices.Slices, mergeSlices(parts))
	}
	return out
}

// mergeNamed adds the requests of each name.
func mergeNamed(all []file) (sums []hist.NamedSeries) {
	for _, f := range all {
		if f.Requests == nil {
			continue
		}
		for _, in := range f.Requests.Named {
			i := slices.IndexFunc(sums, func(s hist.NamedSeries) bool {
				return s.Target == in.Target && s.Level == in.Level && s.Name == in.Name
			})
			if i < 0 {
				in.Failed = maps.Clone(in.Failed)
				sums = append(sums, in)
				continue
			}
			s := &sums[i]
			s.Started, s.OK = s.Started+in.Started, s.OK+in.OK
			for kind, n := range in.Failed {
				s.Failed[kind] += n
			}
			s.Request.Merge(in.Request)
		}
	}
	return sums
}

// A part is what one instance had of a slice.
type part struct {
	hist.Slice
	of hist.Instance
}

func mergeSlices(parts []part) hist.Slice {
	s := parts[0].Slice
	s.VUs, s.BusyMS, s.Unsent, s.Lost = 0, map[string]float64{}, nil, nil
	for _, p := range parts {
		s.VUs += p.VUs
		s.StartedUnixMS, s.TookMS = min(s.StartedUnixMS, p.StartedUnixMS), max(s.TookMS, p.TookMS)
		for target, ms := range p.BusyMS {
			s.BusyMS[target] += ms
		}
		for target, n := range p.Unsent {
			if s.Unsent == nil {
				s.Unsent = map[string]int64{}
			}
			s.Unsent[target] += n
		}
		s.Lost = append(s.Lost, p.Lost...)
	}
	slices.Sort(s.Lost)
	s.Lost = slices.Compact(s.Lost)
	s.CPUMS = byMachine(parts, s.Lost, func(p part) map[string]float64 { return p.CPUMS })
	s.PeakRSSBytes = byMachine(parts, s.Lost, func(p part) map[string]int64 { return p.PeakRSSBytes })
	s.K6WaitMS = sumOf(parts, k6, func(p part) *float64 { return p.K6WaitMS })
	s.MachineBusyMS = sumOf(parts, "", func(p part) *float64 { return p.MachineBusyMS })
	s.MachineStealMS = sumOf(parts, "", func(p part) *float64 { return p.MachineStealMS })
	return s
}

// k6 is the name of the load generator among processes. Each instance reads its own.
const k6 = "k6"

// byMachine adds what instances read of processes. Instances on one machine read the same processes over the same
// time, so the greatest of their figures counts, except for k6's own. What one of them lost is unknown.
func byMachine[N int64 | float64](parts []part, lost []string, read func(part) map[string]N) map[string]N {
	most := map[string]map[string]N{} // by name, then by reader
	for _, p := range parts {
		for name, n := range read(p) {
			if slices.Contains(lost, name) {
				continue
			}
			if most[name] == nil {
				most[name] = map[string]N{}
			}
			at := p.of.Machine
			if name == k6 || at == "" {
				at = p.of.Segment
			}
			most[name][at] = max(most[name][at], n)
		}
	}
	sums := map[string]N{}
	for name, of := range most {
		for _, n := range of {
			sums[name] += n
		}
	}
	return sums
}

// sumOf is byMachine for one figure. It is unknown if an instance does not know it.
func sumOf(parts []part, name string, read func(part) *float64) *float64 {
	if slices.ContainsFunc(parts, func(p part) bool { return read(p) == nil }) {
		return nil
	}
	return new(byMachine(parts, nil, func(p part) map[string]float64 { return map[string]float64{name: *read(p)} })[name])
}
