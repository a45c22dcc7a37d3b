package hist

import (
	"reflect"
	"testing"
)

// A small and a large Sparse count as a Histogram does.
func TestSparseCountsAsAHistogram(t *testing.T) {
	var s Sparse
	var h Histogram
	if got := s.Snapshot(); !reflect.DeepEqual(got, h.Snapshot()) {
		t.Errorf("empty: %+v", got)
	}
	for i := range 3 * mostFew {
		us := int64(i*i) - 5
		s.Add(us)
		h.Add(us)
		if i%1000 < 3 || i == mostFew || i == mostFew-1 {
			if got, want := s.Snapshot(), h.Snapshot(); !reflect.DeepEqual(got, want) {
				t.Fatalf("after %d values: %+v; want %+v", i+1, got, want)
			}
		}
	}
	s.Add(1 << 40)
	h.Add(1 << 40)
	if got, want := s.Snapshot(), h.Snapshot(); !reflect.DeepEqual(got, want) {
		t.Errorf("a long value: %+v; want %+v", got, want)
	}
	if s.few != nil {
		t.Error("the list stays beside the histogram")
	}
}
