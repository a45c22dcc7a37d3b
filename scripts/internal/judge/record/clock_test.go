package record

import (
	"bytes"
	"math"
	"testing"
)

// What no timeline can be made of is left out, so that what is written can be read.
func TestTimelinesThatAreNone(t *testing.T) {
	for name, c := range map[string]struct {
		seconds []int64
		values  int
	}{
		"whole": {[]int64{-1, 3}, 5}, "backwards": {[]int64{3, 1}, 0}, "twice": {[]int64{3, 3}, 0}, "years": {[]int64{1, 100000000}, 0},
		"more than a number": {[]int64{math.MinInt64, math.MaxInt64}, 0}, "none": {nil, 0},
	} {
		of := K6Timeline{Process: "a", Second: c.seconds, CPUPct: make([]float64, len(c.seconds)), RSSBytes: make([]int64, len(c.seconds))}
		d := NewDetails([]K6Details{{Workload: "relay", Scenario: "baseline", Round: 1, Timelines: []K6Timeline{of}}})
		if n := len(d.K6Runs[0].Timelines[0].CPUPct); n != c.values {
			t.Errorf("%s: %d values, want %d", name, n, c.values)
		}
		var out bytes.Buffer
		if err := WriteDetails(&out, d); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadDetails(&out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
