package details

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"fairstream/k6/common/hist"
	"fairstream/scripts/internal/judge/record"
)

// A Curve says how long durations took, in microseconds: their count, mean, least and
// greatest, and then for each of levels(count) the bucket of the quantile, as the
// difference to the one before. nil: nothing was counted.
type Curve []int64

// inCurve is how many numbers stand before the buckets.
const inCurve = 4

// A bucket holds durations as one of hist does, but there are 16 a doubling in place
// of 512: a value is at most 3 % off.
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

// BucketStart is the least value that a bucket counts, in us.
func BucketStart(bucket int) int64 {
	if bucket < 2*sub {
		return int64(bucket)
	}
	return int64(sub+bucket%sub) << (bucket/sub - 1)
}

// renard are the ten steps of a decade in ISO 3. With them 2, 10, 20, 100 and 1000 are
// levels, which are the percentiles that tables have.
var renard = []float64{1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8}

// beyond is how many values must lie beyond a quantile: the last few are chance.
const beyond = 5

// rare is the level from which on every third is enough: few values are further out.
const rare = 20

// levels are the quantiles q that are told of so many values, as 1/(1-q).
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

// keptUS is how many digits of mean, least and greatest are kept.
const keptUS = 3

// CurveOf shortens a histogram.
func CurveOf(c hist.Counts) Curve {
	if c.Count == 0 {
		return nil
	}
	short := func(us float64) int64 { return int64(record.LimitDigits(us, keptUS)) }
	out := Curve{int64(c.Count), short(c.MeanUS()), short(float64(c.MinUS)), short(float64(c.MaxUS))}
	order, at, seen, last := slices.Sorted(maps.Keys(c.Buckets)), 0, uint64(0), 0
	for _, x := range levels(int64(c.Count)) {
		rank := uint64(max(1, math.Ceil((1-1/x)*float64(c.Count))))
		for seen+c.Buckets[order[at]] < rank {
			seen += c.Buckets[order[at]]
			at++
		}
		low, _ := hist.Bounds(order[at]) // a fine bucket lies in one coarse one
		out = append(out, int64(Bucket(low)-last))
		last = Bucket(low)
	}
	return out
}
