// Package hist counts durations in a bounded number of buckets and turns the
// counts into JSON and back. Adding needs no lock and a histogram takes no more
// memory for an hour of load than for a minute: the reason it exists, since k6
// keeps every sample of a Trend until it ends.
//
// It does not know what it counts. README.md of k6 has the encoding, for
// readers that cannot import this package.
package hist

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// Layout names the encoding, for files.
const Layout = "log-linear-512"

// The layout is log-linear. Below 1,024 us a bucket holds one value. Above, each
// doubling is cut into 512 buckets of equal width, so that a bucket is never
// wider than 1/512 of its lower bound and its middle never off by more than
// 1/1024, 0.1 %: what tells servers apart is some milliseconds in a second.
const (
	subBits  = 9
	sub      = 1 << subBits
	maxValue = math.MaxUint32             // 71 minutes; longer counts as this long
	Buckets  = (32-subBits-1)*sub + 2*sub // 12288
	pages    = Buckets / sub              // a page is a doubling
)

// Bucket is the index of the bucket that counts a value in microseconds.
func Bucket(us int64) int {
	if us < 0 {
		us = 0
	}
	v := uint64(min(us, maxValue))
	shift := max(bits.Len64(v)-subBits-1, 0)
	return shift<<subBits + int(v>>shift)
}

// Bounds are the least and the greatest value in microseconds that a bucket counts.
func Bounds(bucket int) (low, high int64) {
	shift := max(bucket>>subBits-1, 0)
	low = int64(bucket-shift<<subBits) << shift
	return low, low + 1<<shift - 1
}

// A Histogram counts values in microseconds. The zero value is empty and ready.
// All methods may be called at once from many goroutines; one that reads while
// others add sees some of what they add.
type Histogram struct {
	// Most measures stay within a few doublings: a page is made when its first
	// value comes, so that a histogram takes 4 to 40 kB and not 98.
	page  [pages]atomic.Pointer[[sub]atomic.Uint64]
	sum   atomic.Int64
	least atomic.Int64 // plus one, so that 0 is none
	most  atomic.Int64
}

// Add counts one value.
func (h *Histogram) Add(us int64) {
	us = max(0, min(us, maxValue))
	h.AddBuckets([]uint16{uint16(Bucket(us))}, us, us, us)
}

// AddBuckets counts values whose buckets are known already, together with
// their sum, least and greatest value. It is how the values of a whole stream
// are added at its end: buckets take a caller two bytes each to keep, and the
// rest is written once a stream and not once a value.
func (h *Histogram) AddBuckets(buckets []uint16, sum, least, most int64) {
	if len(buckets) == 0 {
		return
	}
	for _, b := range buckets {
		p := h.page[b>>subBits].Load()
		if p == nil {
			p = h.grow(int(b >> subBits))
		}
		p[b&(sub-1)].Add(1)
	}
	h.sum.Add(sum)
	for old := h.least.Load(); (old == 0 || least+1 < old) && !h.least.CompareAndSwap(old, least+1); {
		old = h.least.Load()
	}
	for old := h.most.Load(); most > old && !h.most.CompareAndSwap(old, most); {
		old = h.most.Load()
	}
}

func (h *Histogram) grow(i int) *[sub]atomic.Uint64 {
	h.page[i].CompareAndSwap(nil, new([sub]atomic.Uint64))
	return h.page[i].Load()
}

// Snapshot copies the counts.
func (h *Histogram) Snapshot() Counts {
	c := Counts{SumUS: h.sum.Load()}
	for i := range h.page {
		p := h.page[i].Load()
		if p == nil {
			continue
		}
		for j := range p {
			if n := p[j].Load(); n > 0 {
				if c.Buckets == nil {
					c.Buckets = map[int]uint64{}
				}
				c.Buckets[i<<subBits+j] = n
				c.Count += n
			}
		}
	}
	if c.Count > 0 {
		c.MinUS, c.MaxUS = max(0, h.least.Load()-1), h.most.Load()
	}
	return c
}
