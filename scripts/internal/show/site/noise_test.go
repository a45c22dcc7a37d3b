package site

import "testing"

// Where most figures are that of the run before, nothing is known of the noise: with
// none, one digit more would be worse than any chance.
func TestNoiseIsNotNone(t *testing.T) {
	same := []float64{27.01, 27.01, 27.01, 27.01, 27.02, 27.02, 27.02, 29.5, 29.5, 29.5}
	for _, absolute := range []bool{true, false} {
		if noise, _, ok := noiseOf(same, absolute); ok {
			t.Errorf("absolute %v: %v, want it unknown", absolute, noise)
		}
		if noise, n, ok := noiseOf([]float64{27.01, 27.02, 27.01, 27.03, 27.01, 27.02}, absolute); !ok || noise == 0 || n != 5 {
			t.Errorf("absolute %v: %v of %d, want some of 5", absolute, noise, n)
		}
	}
}
