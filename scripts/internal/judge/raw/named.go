package raw

import (
	"cmp"
	"fmt"
	"slices"

	"fairstream/k6/shared/hist"
)

// A Named is what k6 saw of the requests of one name, as a part of a Load. It has discarded slices too, since k6 counts the
// names of a level over all slices. Only comparisons show names, and they discard none.
type Named struct {
	Name     string
	Requests int64       // complete requests
	Failed   int64       // failed and interrupted requests
	Request  *Times      // to the answer's last byte
	Counts   hist.Counts // likewise
	SharePct float64     // of the time of all complete requests with names
}

// addNamed adds requests with names to their loads. A level without a finished slice has none.
func (s *Summary) addNamed(all []hist.NamedSeries) error {
	for _, in := range all {
		if in.Name == "" || in.OK < 0 || uint64(in.OK) != in.Request.Count || in.Started < in.OK {
			return fmt.Errorf("%s, level %s, requests %q: %d began, %d were complete, and %d have a time",
				in.Target, in.Level, in.Name, in.Started, in.OK, in.Request.Count)
		}
		i := s.find(in.Target, in.Level, false)
		if i < 0 {
			continue
		}
		l := &s.Loads[i]
		if slices.ContainsFunc(l.Named, func(n Named) bool { return n.Name == in.Name }) {
			return fmt.Errorf("%s, level %s: requests %q are there twice", in.Target, in.Level, in.Name)
		}
		l.allNamed.Merge(in.Request)
		l.Named = append(l.Named, Named{Name: in.Name, Requests: in.OK, Failed: in.Started - in.OK, Request: TimesOf(in.Request), Counts: in.Request})
	}
	return nil
}

// ms is the time of the complete requests, summed.
func (n Named) ms() float64 {
	if n.Request == nil {
		return 0
	}
	return n.Request.Mean * float64(n.Requests)
}

// shareTime computes the shares of the time, and sorts the names.
func (l *Load) shareTime() {
	all := 0.0
	for _, n := range l.Named {
		all += n.ms()
	}
	for i := range l.Named {
		if n := &l.Named[i]; all > 0 {
			n.SharePct = 100 * n.ms() / all
		}
	}
	slices.SortFunc(l.Named, func(a, b Named) int { return cmp.Compare(a.Name, b.Name) })
}
