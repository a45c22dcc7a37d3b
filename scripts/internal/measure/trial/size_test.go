package trial

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/prove"
)

// counted is a distribution of this many values around 2 ms, and a tail.
func counted(n int) hist.Counts {
	var h hist.Histogram
	for i := range n {
		u := (float64(i) + 0.5) / float64(n)
		h.Add(int64(2000 - 400*math.Log(1-u)))
	}
	return h.Snapshot()
}

// What delays do to a percentile is counted out here: each of the values, with
// every fifth later.
func TestADelayRaisesThePercentileByTheSize(t *testing.T) {
	c := counted(20_000)
	for _, pct := range []float64{1, 10, 50} {
		later := delay(c, pct)
		var values []float64
		for i := range 20_000 {
			u := (float64(i) + 0.5) / 20_000
			v := 2000 - 400*math.Log(1-u)
			for k := range 5 {
				values = append(values, v)
				if k == 0 {
					values[len(values)-1] += later
				}
			}
		}
		slices.Sort(values)
		was := 2000 - 400*math.Log(0.05)
		if got := 100 * (values[len(values)*95/100]/was - 1); math.Abs(got-pct) > 0.1 {
			t.Errorf("%g %%: %g us give %g %%", pct, later, got)
		}
	}
}

func pilot() Figures {
	c := counted(20_000)
	return Figures{CPUUSPerStream: 500, ReadsPerStream: 22, NSPerIteration: 1.3, TTFT: c, Stream100: c, Stream200: c, CoreUSPerStream: 500, PeakRSSBytes: 40e6, Open: 200}
}

func TestTheReportHasTheSizeOfItsFlag(t *testing.T) {
	size := prove.Size{prove.CPU: 3, prove.TTFT: 10, prove.Tail: 10, prove.RSS: 5}
	f, err := Flags("relay/go-http", size, pilot())
	if err != nil {
		t.Fatal(err)
	}
	told := [2]prove.Told{
		{Paces: map[string]prove.Given{steadyPace: {Streams: 1000, Reads: 22000}}, NSPerIteration: 1.3},
		{Paces: map[string]prove.Given{
			steadyPace:   {Streams: 1000, Reads: 22000, Iterations: 22000 * f.Work},
			baselinePace: {Streams: 500, TTFT: prove.Delays{Count: 100, MeanUS: f.TTFTUS}},
			stressPace:   {Streams: 9000, Tail: prove.Delays{Count: 1800, MeanUS: f.TailUS}},
			"2ms":        {Streams: 1000, TTFT: prove.Delays{Count: 500, MeanUS: 9999}, Tail: prove.Delays{Count: 500, MeanUS: 9999}}, // warm-up
		}, NSPerIteration: 1.3, ResidentBytes: f.Resident * 200},
	}
	// A stream has 500 us of two cores. 4 % fewer streams take 520.8 us each.
	if locked, err := Flags("relay/go-http", prove.Size{prove.Lock: 4 * lockLoss["relay/go-http"]}, pilot()); err != nil || math.Abs(float64(locked.LockWork)*1.3-20_833) > 2 || locked.LockPace != stressPace {
		t.Errorf("lock: %+v, %v", locked, err)
	}
	d := Deliver(told, pilot())
	for cell, want := range map[string]float64{
		"steady server_cpu_us_per_stream": 3, "baseline ttft_p95_ms": 10, "stress-100 stream_p95_ms": 10, "stress-200 stream_p95_ms": 10, "stress-200 server_rss_peak_bytes": 5,
	} {
		if math.Abs(d.Pct[cell]-want) > 0.05*want {
			t.Errorf("%s: %g %%; want %g", cell, d.Pct[cell], want)
		}
	}
	if none := Deliver([2]prove.Told{}, Figures{}); len(none.Pct) != 0 {
		t.Errorf("of nothing: %v", none.Pct)
	}
	if none, err := Flags("relay/go-http", prove.Size{}, pilot()); err != nil || none != (prove.Flags{}) {
		t.Errorf("no size: %+v, %v", none, err)
	}
	lacking := pilot()
	lacking.Open = 0
	if _, err := Flags("relay/go-http", size, lacking); err == nil || !strings.Contains(err.Error(), "streams at a time") {
		t.Errorf("%v", err)
	}
}

func TestSumWeighsDelaysAndAveragesMemory(t *testing.T) {
	one, two := prove.Given{Streams: 10, Reads: 200, Iterations: 5, TTFT: prove.Delays{Count: 1, MeanUS: 100}}, prove.Given{Streams: 30, Reads: 600, Iterations: 7, TTFT: prove.Delays{Count: 3, MeanUS: 200}}
	both := prove.Given{Streams: 40, Reads: 800, Iterations: 12, TTFT: prove.Delays{Count: 4, MeanUS: 175}}
	got := Sum([]prove.Told{
		{Given: one, Paces: map[string]prove.Given{"1ms": one}, NSPerIteration: 1, MostOpen: 10, ResidentBytes: 100},
		{Given: two, Paces: map[string]prove.Given{"1ms": two, "50ms": one}, NSPerIteration: 2, MostOpen: 20, ResidentBytes: 300},
	})
	want := prove.Told{Given: both, Paces: map[string]prove.Given{"1ms": both, "50ms": one}, NSPerIteration: 1.5, MostOpen: 15, ResidentBytes: 200}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v; want %+v", got, want)
	}
}

// A k6 run that lacks figures says nothing of how much a per cent is.
func TestTypicalFigures(t *testing.T) {
	var all []Figures
	for _, cpu := range []float64{900, 500, 700} {
		f := pilot()
		f.CPUUSPerStream = cpu
		all = append(all, f, Figures{CPUUSPerStream: 1})
	}
	f := Typical(all)
	if f.CPUUSPerStream != 700 || f.TTFT.Count != 3*pilot().TTFT.Count || f.check() != nil {
		t.Errorf("%+v", f)
	}
	if err := Typical(all[1:2]).check(); err == nil {
		t.Error("figures of nothing")
	}
}
