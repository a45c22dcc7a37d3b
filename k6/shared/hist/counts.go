package hist

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// Counts is a finished histogram, to write, merge and query. Times are in microseconds. Sum,
// minimum and maximum are exact.
type Counts struct {
	Count        uint64
	SumUS        int64
	MinUS, MaxUS int64
	Buckets      map[int]uint64 // number of values by index of the bucket; none is 0
}

// MarshalJSON writes the buckets in order, so that equal counts have equal bytes. Without values,
// minimum and maximum are null.
func (c Counts) MarshalJSON() ([]byte, error) {
	b := fmt.Appendf(nil, `{"count":%d,"sum_us":%d,"min_us":`, c.Count, c.SumUS)
	if c.Count == 0 {
		return append(b, `null,"max_us":null,"buckets":{}}`...), nil
	}
	b = fmt.Appendf(b, `%d,"max_us":%d,"buckets":{`, c.MinUS, c.MaxUS)
	for i, bucket := range slices.Sorted(maps.Keys(c.Buckets)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `"%d":%d`, bucket, c.Buckets[bucket])
	}
	return append(b, "}}"...), nil
}

// UnmarshalJSON reads the output of MarshalJSON, and refuses counts that contradict themselves.
func (c *Counts) UnmarshalJSON(data []byte) error {
	var in struct {
		Count   uint64            `json:"count"`
		SumUS   int64             `json:"sum_us"`
		MinUS   *int64            `json:"min_us"`
		MaxUS   *int64            `json:"max_us"`
		Buckets map[string]uint64 `json:"buckets"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*c = Counts{Count: in.Count, SumUS: in.SumUS}
	var total uint64
	for key, n := range in.Buckets {
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= Buckets || n == 0 || n > math.MaxInt64 {
			return fmt.Errorf("histogram: bucket %q: %d: want an index from 0 to %d and a count over 0", key, n, Buckets-1)
		}
		if c.Buckets == nil {
			c.Buckets = map[int]uint64{}
		}
		c.Buckets[i], total = n, total+n
	}
	if total != in.Count || len(c.Buckets) != len(in.Buckets) {
		return fmt.Errorf("histogram: count is %d, the buckets hold %d in %d", in.Count, total, len(c.Buckets))
	}
	if (in.MinUS == nil) != (total == 0) || (in.MaxUS == nil) != (total == 0) {
		return fmt.Errorf("histogram: min_us and max_us are null exactly when count is 0, which is %d", total)
	}
	if total > 0 {
		c.MinUS, c.MaxUS = *in.MinUS, *in.MaxUS
	}
	return nil
}

// Merge adds the counts of another histogram.
func (c *Counts) Merge(o Counts) {
	if o.Count == 0 {
		return
	}
	if c.Count == 0 {
		c.MinUS, c.MaxUS = o.MinUS, o.MaxUS
	}
	c.MinUS, c.MaxUS = min(c.MinUS, o.MinUS), max(c.MaxUS, o.MaxUS)
	c.Count, c.SumUS = c.Count+o.Count, c.SumUS+o.SumUS
	if c.Buckets == nil {
		c.Buckets = map[int]uint64{}
	}
	for i, n := range o.Buckets {
		c.Buckets[i] += n
	}
}

// MeanUS is the exact mean; NaN without values.
func (c Counts) MeanUS() float64 { return float64(c.SumUS) / float64(c.Count) }

// QuantileUS is the quantile q by nearest rank, as the middle of its bucket. It is within 0.1 % or
// half a microsecond of the true value, and within minimum and maximum. It is NaN without values.
func (c Counts) QuantileUS(q float64) float64 {
	if c.Count == 0 {
		return math.NaN()
	}
	rank := uint64(max(1, math.Ceil(q*float64(c.Count))))
	for _, i := range slices.Sorted(maps.Keys(c.Buckets)) {
		if n := c.Buckets[i]; n < rank {
			rank -= n
			continue
		}
		low, high := Bounds(i)
		return max(float64(c.MinUS), min(float64(low+high)/2, float64(c.MaxUS)))
	}
	return float64(c.MaxUS)
}
