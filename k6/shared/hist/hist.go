// Package hist counts durations in a fixed number of buckets, and converts the counts to JSON and
// back. Adding needs no lock. An hour of load takes no more memory than a minute, while k6 keeps
// every sample of a Trend until its end.
//
// It does not know the meaning of the durations. README.md of k6 describes the encoding.
package hist

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// Layout names the encoding in files.
const Layout = "log-linear-512"

// The layout is log-linear. Below 1,024 us each bucket holds one value. Above, each doubling has
// 512 buckets of equal width. A bucket is at most 1/512 of its lower bound wide, so its middle is
// off by at most 0.1 %. Servers differ by some milliseconds in a second, which is more.
const (
	subBits  = 9
	sub      = 1 << subBits
	maxValue = math.MaxUint32             // 71 minutes; longer values count as this
	Buckets  = (32-subBits-1)*sub + 2*sub // 12288
	pages    = Buckets / sub              // a page is a doubling
)

// Bucket returns the bucket of a value in microseconds.
func Bucket(us int64) int {
	if us < 0 {
		us = 0
	}
	v := uint64(min(us, maxValue))
	shift := max(bits.Len64(v)-subBits-1, 0)
	return shift<<subBits + int(v>>shift)
}

// Bounds returns the smallest and the largest value of a bucket in microseconds.
func Bounds(bucket int) (low, high int64) {
	shift := max(bucket>>subBits-1, 0)
	low = int64(bucket-shift<<subBits) << shift
	return low, low + 1<<shift - 1
}

// A Histogram counts values in microseconds. The zero value is empty and ready. All methods are
// safe for concurrent use. A reader sees some of the values that others add meanwhile.
type Histogram struct {
	// Most values stay within a few doublings. A page is made with its first value, so a histogram
	// takes 4 to 40 kB instead of 98.
	page  [pages]atomic.Pointer[[sub]atomic.Uint64]
	sum   atomic.Int64
	least atomic.Int64 // plus one, so that 0 means no value
	most  atomic.Int64
}

// Add counts one value.
func (h *Histogram) Add(us int64) {
	us = max(0, min(us, maxValue))
	h.AddBuckets([]uint16{uint16(Bucket(us))}, us, us, us)
}

// AddBuckets adds values as buckets, with their sum, minimum and maximum. A stream keeps two bytes
// for each value, and adds all of them at its end.
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
