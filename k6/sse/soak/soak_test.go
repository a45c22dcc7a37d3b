package main

import (
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairstream/k6/sse/ruler"
)

// An hour of load must take k6 no more memory than a minute, but for what it
// keeps of its own Trends: http_req_duration, that of answers as expected, and
// sse_ttft, 8 bytes each. That those are seen to grow shows that growth is.
func TestTheModuleKeepsNothingOfAStream(t *testing.T) {
	if testing.Short() {
		t.Skip("links k6")
	}
	const streams = 80_000
	dir := t.TempDir()
	c := config{k6: filepath.Join(dir, "k6"), stub: filepath.Join(dir, "stub"), script: "stream.js", vus: 4, tokens: 1}
	for module, bin := range map[string]string{"../..": c.k6, "../../../stub": c.stub} {
		if err := ruler.Build(module, bin); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct{ least, most float64 }{
		"bare": {math.Inf(-1), noiseBytes},
		"loop": {noiseBytes, math.Inf(1)}, // 1.9 MB, or more where slices have room to grow
	} {
		k, err := start(c, name)
		if err != nil {
			t.Fatal(err)
		}
		defer k.end()
		before := k.leastAfter(t, 10_000)
		after := k.leastAfter(t, before.streams+streams)
		k.end()
		grown := after.live - before.live
		t.Logf("%s: live from %.0f to %.0f bytes in %d streams", name, before.live, after.live, after.streams-before.streams)
		if grown < test.least || grown > test.most {
			t.Errorf("%s: the live heap grew by %.0f bytes in %d streams; want %.0f to %.0f", name, grown, after.streams-before.streams, test.least, test.most)
		}
	}
}

// leastAfter is the least live heap of five readings once that many streams
// have ended: samples on their way to k6's metrics only add to it.
func (c *client) leastAfter(t *testing.T, streams int64) (least reading) {
	if _, err := c.after(streams); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		r, err := c.read()
		if err != nil {
			t.Fatal(err)
		}
		if least.live == 0 || r.live < least.live {
			least = r
		}
	}
	return least
}

func TestSlope(t *testing.T) {
	for _, test := range []struct{ x, y, want []float64 }{
		{[]float64{0, 1, 2}, []float64{5, 7, 9}, []float64{2}},
		{[]float64{0, 1, 2, 3}, []float64{0, 2, 1, 3}, []float64{0.8}},
		{[]float64{10, 20}, []float64{3, 3}, []float64{0}},
	} {
		if got := slope(test.x, test.y); math.Abs(got-test.want[0]) > 1e-9 {
			t.Errorf("%v, %v: %v; want %v", test.x, test.y, got, test.want[0])
		}
	}
	if !math.IsNaN(slope([]float64{1}, []float64{1})) {
		t.Error("a point has a slope")
	}
}

// What grows by design is no failure, what the module would keep is one.
func TestJudge(t *testing.T) {
	readings := func(bytes float64) (r []reading) {
		for i := range 4 {
			n := int64(i * 1_000_000)
			r = append(r, reading{time.Unix(int64(i)*60, 0), n, 50 * mb, 3*mb + bytes*float64(n)})
		}
		return r
	}
	for _, test := range []struct {
		name  string
		bytes float64
		want  string
	}{{"bare", 0.1, ""}, {"bare", 1, "grew by 3.0 MB in 3000000 streams"}, {"loop", 24, ""}} {
		err := judge([]*client{{name: test.name, seen: readings(test.bytes)}}, io.Discard)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, %v bytes a stream: %v; want %q", test.name, test.bytes, err, test.want)
		}
	}
	if err := judge([]*client{{name: "bare", seen: readings(0)[:2]}}, io.Discard); err == nil {
		t.Error("two readings are enough")
	}
}
