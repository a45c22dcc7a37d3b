package hist

import (
	"encoding/json"
	"testing"
)

// Counts that are read are written as they were, and their quantiles are in order.
func FuzzCounts(f *testing.F) {
	f.Add([]byte(`{"count":3,"sum_us":60,"min_us":10,"max_us":30,"buckets":{"10":1,"20":1,"30":1}}`))
	f.Add([]byte(`{"count":0,"sum_us":0,"min_us":null,"max_us":null,"buckets":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var c, again Counts
		if json.Unmarshal(text, &c) != nil {
			return
		}
		written, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written, &again); err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, written)
		}
		if c.Count == 0 {
			return
		}
		last := c.QuantileUS(0)
		for _, q := range []float64{0.5, 0.95, 0.99, 1} {
			v := c.QuantileUS(q)
			if v < last {
				t.Errorf("quantile %g is %v, and a lower one %v", q, v, last)
			}
			last = v
		}
	})
}
