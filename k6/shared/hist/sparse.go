package hist

// A Sparse counts values in microseconds, for histograms that are many and mostly small. It keeps a list of values, and
// becomes a Histogram when that takes less memory. The zero value is empty and ready. It is not safe for concurrent use.
type Sparse struct {
	few  []uint32
	many *Histogram
}

// mostFew is how many values the list has at most, in 8 kB. A Histogram takes 4 to 40 kB.
const mostFew = 2 << 10

// Add counts one value.
func (s *Sparse) Add(us int64) {
	if s.many == nil && len(s.few) < mostFew {
		s.few = append(s.few, uint32(max(0, min(us, maxValue))))
		return
	}
	if s.many == nil {
		s.many, s.few = s.all(), nil
	}
	s.many.Add(us)
}

// Snapshot copies the counts.
func (s *Sparse) Snapshot() Counts {
	if s.many != nil {
		return s.many.Snapshot()
	}
	return s.all().Snapshot()
}

// all is the list as a Histogram.
func (s *Sparse) all() *Histogram {
	h := new(Histogram)
	for _, us := range s.few {
		h.Add(int64(us))
	}
	return h
}
