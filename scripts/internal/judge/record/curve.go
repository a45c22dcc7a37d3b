package record

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"fairstream/k6/shared/hist"
)

// A Curve is a distribution of durations in microseconds. It starts with count, mean, minimum and maximum.
// Then follows the bucket of each quantile of levels(count), as the difference to the bucket before. nil
// counts nothing.
type Curve []int64

// inCurve is the count of numbers before the buckets.
const inCurve = 4

// A bucket holds a range of durations, as in package hist, but with 16 buckets a doubling instead of 512. A
// value is at most 3 % off.
const (
	subBits = 4
	sub     = 1 << subBits
	// mostUS is the largest value with a bucket.
	mostUS  = 1<<32 - 1
	buckets = (32-subBits)*sub + sub
)

// Bucket returns the bucket of a value. Below 32 us each bucket holds one value. Above, each doubling has 16.
func Bucket(us int64) int {
	us = max(0, min(us, mostUS))
	shift := max(0, bits.Len64(uint64(us))-1-subBits)
	return shift*sub + int(us>>shift)
}

// BucketStart returns the smallest value of a bucket, in us.
func BucketStart(bucket int) int64 {
	if bucket < 2*sub {
		return int64(bucket)
	}
	return int64(sub+bucket%sub) << (bucket/sub - 1)
}

// renard has the ten steps of a decade in ISO 3. They make 2, 10, 20, 100 and 1000 levels, which are the
// percentiles in tables.
var renard = []float64{1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8}

// beyond is the number of values that must lie beyond a quantile, since the last few are chance.
const beyond = 5

// rare is the first level from which every third is kept, since few values lie beyond.
const rare = 20

// levels returns the quantiles q of this many values, as 1/(1-q).
func levels(count int64) (all []float64) {
	for i := 1; ; i++ {
		x := renard[i%len(renard)] * math.Pow10(i/len(renard))
		if x*beyond > float64(count) {
			return all
		}
		if at := i % len(renard); i <= rare || at == 0 || at == 3 || at == 7 {
			all = append(all, x)
		}
	}
}

// keptUS is the number of digits of mean, minimum and maximum.
const keptUS = 3

// CurveOf shortens a histogram.
func CurveOf(c hist.Counts) Curve {
	if c.Count == 0 {
		return nil
	}
	short := func(us float64) int64 { return int64(LimitDigits(us, keptUS)) }
	out := Curve{int64(c.Count), short(c.MeanUS()), short(float64(c.MinUS)), short(float64(c.MaxUS))}
	order, at, seen, last := slices.Sorted(maps.Keys(c.Buckets)), 0, uint64(0), 0
	for _, x := range levels(int64(c.Count)) {
		rank := uint64(max(1, math.Ceil((1-1/x)*float64(c.Count))))
		for seen+c.Buckets[order[at]] < rank {
			seen += c.Buckets[order[at]]
			at++
		}
		low, _ := hist.Bounds(order[at]) // each fine bucket lies in one coarse bucket
		out = append(out, int64(Bucket(low)-last))
		last = Bucket(low)
	}
	return out
}
