package trial

import (
	"fairstream/k6/shared/hist"
)

// Values within a bucket count as evenly spread, so a distribution can move by less than a bucket.

// below is the share of values below us microseconds.
func below(c hist.Counts, us float64) float64 {
	var n float64
	for bucket, count := range c.Buckets {
		low, high := hist.Bounds(bucket)
		within := (us - float64(low)) / float64(high+1-low)
		n += float64(count) * max(0, min(1, within))
	}
	return n / float64(c.Count)
}

// p95 is the 95th percentile in us when a share of the values is delayed by this many us.
func p95(c hist.Counts, later, share float64) float64 {
	return bisect(0, float64(c.MaxUS+1)+later, func(us float64) bool {
		return (1-share)*below(c, us)+share*below(c, us-later) >= 0.95
	})
}

// delay returns the delay in us of lateShare of the values that raises the 95th percentile by pct per cent.
// It always exists, since a share of 0.8 stays without delay.
func delay(c hist.Counts, pct float64) float64 {
	raised := p95(c, 0, 0) * (1 + pct/100)
	return bisect(0, raised, func(us float64) bool { return p95(c, us, lateShare) >= raised })
}

// bisect returns the smallest value in a range from which a condition holds, to a thousandth of a
// microsecond. It returns the upper end if the condition never holds.
func bisect(low, high float64, holds func(float64) bool) float64 {
	for high-low > 1e-3 {
		if middle := (low + high) / 2; holds(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
