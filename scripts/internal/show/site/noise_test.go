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
