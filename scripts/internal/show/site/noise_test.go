package site

import "testing"

// Where most figures are that of the run before, nothing is known of the noise: with
// none, one digit more would be worse than any chance.
func TestNoiseIsNotNone(t *testing.T) {
	same := []float64{27.01, 27.01, 27.01, 27.01, 27.02, 27.02, 27.02, 29.5, 29.5, 29.5}
	for _, absolute := range []bool{true, false} {
		if noise, _, ok := noiseOfPoints(same, absolute); ok {
			t.Errorf("absolute %v: %v, want it unknown", absolute, noise)
		}
		if noise, n, ok := noiseOfPoints([]float64{27.01, 27.02, 27.01, 27.03, 27.01, 27.02}, absolute); !ok || noise == 0 || n != 5 {
			t.Errorf("absolute %v: %v of %d, want some of 5", absolute, noise, n)
		}
	}
}

func TestWhereAValueStands(t *testing.T) {
	if c := medianChange(110, []float64{90, 100, 120}, false); c == nil || *c != 10 {
		t.Errorf("%v, want 10 %%", c)
	}
	if c := medianChange(-2, []float64{0, 0, 1}, true); c == nil || *c != -2 {
		t.Errorf("%v, want -2", c)
	}
	if medianChange(1, nil, false) != nil || medianChange(1, []float64{0, 0, 0}, false) != nil {
		t.Error("a share of nothing")
	}
	before, after := []float64{100, 101, 99, 100, 101}, []float64{103, 100, 102, 101, 100}
	for scale, want := range map[float64]bool{1: true, 2: false} {
		var now, all []float64
		for _, v := range after {
			now = append(now, scale*v)
		}
		all = append(append(all, before...), now...)
		if change, inside := changeSince(before, now, all); inside != want || change < scale-1 {
			t.Errorf("times %g: %+.3f, inside %v", scale, change, inside)
		}
	}
}
