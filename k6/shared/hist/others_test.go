package hist

import "testing"

// A cycle of three slices of 100 ms on two cores, which have 600 ms together.
func TestACycleIsDisturbedByWhatOthersUseInAllItsSlices(t *testing.T) {
	slice := func(busy, steal float64) Slice {
		return Slice{TookMS: 100, CPUMS: map[string]float64{"a": 30, "k6": 20}, MachineBusyMS: &busy, MachineStealMS: &steal}
	}
	lost, unread := slice(200, 0), slice(200, 0)
	lost.Lost, unread.MachineBusyMS = []string{"a"}, nil
	for name, c := range map[string]struct {
		slices    []Slice
		disturbed bool
	}{
		"quiet":                        {[]Slice{slice(50, 0), slice(60, 0), slice(50, 0)}, false},
		"a tick less in a short slice": {[]Slice{slice(40, 0), slice(60, 0), slice(50, 0)}, false},
		"much in one slice, 23 %":      {[]Slice{slice(190, 0), slice(50, 0), slice(50, 0)}, false},
		"25 %":                         {[]Slice{slice(190, 0), slice(60, 0), slice(50, 0)}, false},
		"27 %":                         {[]Slice{slice(190, 0), slice(70, 0), slice(50, 0)}, true},
		"the host, 10 %":               {[]Slice{slice(50, 60), slice(50, 0), slice(50, 0)}, false},
		"the host, 12 %":               {[]Slice{slice(50, 60), slice(50, 10), slice(50, 0)}, true},
		"an ended process":             {[]Slice{slice(190, 0), lost, slice(190, 0)}, false},
		"unknown":                      {[]Slice{slice(190, 0), unread, slice(190, 0)}, false},
	} {
		if d := Disturbance(c.slices, 2); d > 1 != c.disturbed {
			t.Errorf("%s: %g of the limit; want disturbed: %v", name, d, c.disturbed)
		}
	}
}
