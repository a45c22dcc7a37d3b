package record

import (
	"math"
	"testing"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
)

// The values are those of scipy 1.17.1: stats.linregress, and stats.t.ppf(0.975, 8)
// times its stderr.
func TestALineIsThatOfLeastSquares(t *testing.T) {
	s := line([]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []float64{3.1, 4.9, 7.2, 8.8, 11.1, 12.9, 15.2, 16.7, 19.3, 20.8})
	want := Growth{1.991515151515152, 1.9366168256741558, 2.0464134773561478}
	if math.Abs(s.Bytes-want.Bytes) > 1e-9 || math.Abs(s.Low-want.Low) > 1e-9 || math.Abs(s.High-want.High) > 1e-9 {
		t.Errorf("got %+v, want %+v", s, want)
	}
}

// soaked is 400 s at 100 streams a second; rss is what the server then holds.
func soaked(rss func(second int64) int64) measured {
	m := healthy()
	m.paced, m.load.Level, m.load.Requests, m.load.Seconds = true, "", 40_000, 400
	m.summary.Loads = []raw.Load{m.load}
	m.summary.Slices = []hist.Slice{{Level: "", StartedUnixMS: 1_000_000, PlannedMS: 400_000}}
	m.samples = nil
	for second := range int64(410) { // and some before
		m.samples = append(m.samples, raw.Sample{Time: 990 + second, PID: 1, RSSBytes: rss(second - 10)})
	}
	return m
}

func TestALeakIsFound(t *testing.T) {
	noise := func(second int64) int64 { return (second * 7919 % 13) << 12 } // within 50 kB
	for name, c := range map[string]struct {
		rss  func(int64) int64
		want Leak
	}{
		"flat":        {func(int64) int64 { return 10 << 20 }, NoLeak},
		"noise":       {func(s int64) int64 { return 10<<20 + noise(s) }, NoLeak},
		"a leak":      {func(s int64) int64 { return 10<<20 + noise(s) + s*100*40 }, Leaks},
		"a tiny leak": {func(s int64) int64 { return 10<<20 + s*100*4 }, NoLeak},
		"it shrinks":  {func(s int64) int64 { return 10<<20 - s*100*40 }, NoLeak},
		"filling":     {func(s int64) int64 { return 10<<20 + min(s, 80)*1<<18 }, NoLeak}, // then flat
		"up and down": {func(s int64) int64 { return 10<<20 + (s%260)*1<<16 }, Inconclusive},
	} {
		m := soaked(c.rss)
		r := Record{Metrics: Metrics{}}
		for _, metric := range Table("relay") {
			if v, ok := metric.value(m); ok {
				r.Metrics.set(metric.Name, v)
			}
		}
		if got := r.Leaks(); got != c.want {
			bytes, known := r.Metrics.Get("server_rss_slope_bytes_per_stream")
			t.Errorf("%s: %s (%.1f bytes a stream, %v), want %s", name, got, bytes, known, c.want)
		}
	}
	short := soaked(func(s int64) int64 { return 10 << 20 })
	short.summary.Slices[0].PlannedMS = 299_000
	if s, ok := short.rssSlope(short.target.PIDs, 1); ok {
		t.Errorf("299 s give %+v", s)
	}
	if got := (Record{Metrics: Metrics{}}).Leaks(); got != Inconclusive {
		t.Errorf("nothing known: %s", got)
	}
}
