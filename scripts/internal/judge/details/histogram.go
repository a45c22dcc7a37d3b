package details

import (
	"math/bits"

	"fairstream/k6/common/hist"
)

// A Histogram counts durations in microseconds as hist.Counts does, but with 16
// buckets a doubling in place of 512: a value is at most 3 % off. Sum, least and
// greatest value are exact.
type Histogram struct {
	SumUS  int64    `json:"sum_us"`
	MinUS  int64    `json:"min_us"`
	MaxUS  int64    `json:"max_us"`
	First  int      `json:"first"`  // bucket of Counts[0]
	Counts []uint64 `json:"counts"` // of one bucket after the other; neither the first nor the last is 0
}

const (
	subBits = 4
	sub     = 1 << subBits
	// mostUS is the greatest value that has a bucket.
	mostUS  = 1<<32 - 1
	buckets = (32-subBits)*sub + sub
)

// Bucket is the index of the bucket that counts a value: below 32 us each holds one
// value, above each doubling has 16.
func Bucket(us int64) int {
	us = max(0, min(us, mostUS))
	shift := max(0, bits.Len64(uint64(us))-1-subBits)
	return shift*sub + int(us>>shift)
}

// Least is the least value that a bucket counts, in us.
func Least(bucket int) int64 {
	if bucket < 2*sub {
		return int64(bucket)
	}
	return int64(sub+bucket%sub) << (bucket/sub - 1)
}

func histogram(c hist.Counts) *Histogram {
	if c.Count == 0 {
		return nil
	}
	counts := map[int]uint64{}
	first, last := buckets, 0
	for fine, n := range c.Buckets {
		low, _ := hist.Bounds(fine) // a fine bucket lies in one coarse one
		i := Bucket(low)
		counts[i] += n
		first, last = min(first, i), max(last, i)
	}
	h := &Histogram{SumUS: c.SumUS, MinUS: c.MinUS, MaxUS: c.MaxUS, First: first}
	for i := first; i <= last; i++ {
		h.Counts = append(h.Counts, counts[i])
	}
	return h
}
