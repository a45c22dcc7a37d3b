package common

import (
	"time"

	"fairstream/k6/shared/hist"
)

// Durations are times of one request until its end decides whether they count. Each takes two
// bytes, so a stream of a million tokens takes 4 MB.
type Durations struct {
	Buckets     []uint16
	Sum         time.Duration
	Least, Most time.Duration
	Negative    int // below 0: the wall clock was set back, or is not the stub's
}

// keptBytes limits the buffer that a VU keeps between requests.
const keptBytes = 64 << 10

// Reset has no times. It keeps the buffer.
func (d *Durations) Reset() Durations {
	if cap(d.Buckets) > keptBytes/2 {
		return Durations{}
	}
	return Durations{Buckets: d.Buckets[:0]}
}

// Add adds a time. One below 0 counts as 0.
func (d *Durations) Add(t time.Duration) {
	if t < 0 {
		d.Negative++
		t = 0
	}
	if len(d.Buckets) == 0 || t < d.Least {
		d.Least = t
	}
	d.Most = max(d.Most, t)
	d.Sum += t
	d.Buckets = append(d.Buckets, uint16(hist.Bucket(US(t))))
}

// AddTo adds the times to a histogram.
func (d *Durations) AddTo(h *hist.Histogram) {
	h.AddBuckets(d.Buckets, US(d.Sum), US(d.Least), US(d.Most))
}
