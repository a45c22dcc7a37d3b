package record

import (
	"math"
	"testing"
)

// A ratio of two means is the mean ratio of the rounds, and a difference of two absolute means the mean difference.
func TestMean(t *testing.T) {
	for _, c := range []struct {
		values   []float64
		absolute bool
		want     float64
	}{
		{[]float64{3}, false, 3},
		{[]float64{1, 2, 4}, false, 2},
		{[]float64{1, 2, 4}, true, 7. / 3},
		{[]float64{4, 0, 2}, false, 2},
		{[]float64{-1, 2, 5}, false, 2},
	} {
		if got := Mean(c.values, c.absolute); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v, absolute %t: %g; want %g", c.values, c.absolute, got, c.want)
		}
	}
	if same := []float64{0.1, 0.1, 0.1}; Mean(same, false) != 0.1 {
		t.Errorf("equal rounds: %g is outside of them", Mean(same, false))
	}
	for name, want := range map[string]bool{
		"rate_per_s": false, "server_rss_peak_bytes": false,
		"failed_pct": true, "ttft_p95_overhead_ms": true, "server_rss_slope_bytes_per_request": true,
	} {
		if Absolute(name) != want {
			t.Errorf("%s: absolute is %t", name, !want)
		}
	}
}
