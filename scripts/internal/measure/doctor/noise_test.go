package doctor

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"
)

// work makes slices from a rule: seconds by core by slice.
func work(seconds, cores, slices int, took func(second, core, slice int) float64) (all [][][]float64) {
	for s := range seconds {
		var ofSecond [][]float64
		for c := range cores {
			var ofCore []float64
			for i := range slices {
				ofCore = append(ofCore, took(s, c, i))
			}
			ofSecond = append(ofSecond, ofCore)
		}
		all = append(all, ofSecond)
	}
	return all
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestASteadyMachineHasNoNoise(t *testing.T) {
	w := compareWork(work(12, 2, 56, func(_, core, _ int) float64 { return 0.01 * float64(1+core) }))
	for what, got := range map[string]float64{"in a second": w.InSecondPct, "next": w.NextPct, "after": w.AfterPct, "turns": w.TurnsPct, "fast turns": w.FastTurnsPct} {
		near(t, what, got, 0, 1e-9)
	}
	if w.LoadS != 3 {
		t.Errorf("loads of %d s, want 3", w.LoadS)
	}
	near(t, "median", w.SliceMs, 10, 1e-9)
}

// A machine that gets 1 % slower each second: a load of 3 s comes 3 s after the
// other, and in turns they share the drift.
func TestDriftIsSeenByLoadsOneAfterTheOther(t *testing.T) {
	w := compareWork(work(12, 2, 56, func(second, _, _ int) float64 { return 0.01 * math.Exp(0.01*float64(second)) }))
	near(t, "in a second", w.InSecondPct, 0, 1e-9)
	near(t, "next", w.NextPct, 1, 0.001)
	near(t, "after", w.AfterPct, 3, 0.001)
	near(t, "turns", w.TurnsPct, 0.33, 0.01) // base 0, 3, 4; head 1, 2, 5: they differ by a third of a second
	near(t, "fast turns", w.FastTurnsPct, 0, 0.001)
}

// Slices that differ among themselves, the same way in each second, are noise
// within a second and nothing to loads of whole seconds.
func TestSlicesThatDifferAreNoiseWithinASecond(t *testing.T) {
	w := compareWork(work(12, 1, 56, func(_, _, slice int) float64 { return 0.01 * math.Exp(0.02*float64(slice%2)) }))
	near(t, "in a second", w.InSecondPct, 1, 0.001)
	near(t, "after", w.AfterPct, 0, 1e-9)
	w = compareWork(work(12, 1, 56, func(_, _, slice int) float64 {
		if slice%4 == 0 || slice%4 == 3 {
			return 0.01
		}
		return 0.0101
	}))
	near(t, "fast turns", w.FastTurnsPct, 0.995, 0.001) // ln 1.01
	near(t, "turns", w.TurnsPct, 0, 1e-9)
}

// A machine that stood still has few slices; each load gets one all the same.
func TestOneSliceASecondIsEnough(t *testing.T) {
	w := compareWork(work(4, 1, 1, func(int, int, int) float64 { return 0.01 }))
	for what, got := range map[string]float64{"in a second": w.InSecondPct, "next": w.NextPct, "after": w.AfterPct, "turns": w.TurnsPct, "fast turns": w.FastTurnsPct} {
		near(t, what, got, 0, 1e-9)
	}
}

func TestQuantiles(t *testing.T) {
	d := delays([]float64{3e-6, 1e-6, 2e-6, 4e-6})
	if want := (Delays{4, 2, 4, 4}); math.Abs(d.P50us-want.P50us) > 1e-9 || math.Abs(d.P99us-want.P99us) > 1e-9 || math.Abs(d.MaxUs-want.MaxUs) > 1e-9 || d.N != 4 {
		t.Errorf("%+v, want %+v", d, want)
	}
	if !math.IsNaN(quantile(nil, 0.5)) {
		t.Error("a quantile of nothing")
	}
}

// On this machine, however busy: everything is measured, and is a number. Only
// what a virtual machine had beside it may be unknown, while its counters of CPU
// time stand or are set back, which happens when it is moved; not three times.
func TestMeasure(t *testing.T) {
	var n Noise
	for try := 1; try <= 3 && n.StealPct == nil; try++ {
		var err error
		if n, err = Measure(context.Background(), os.DirFS("/"), MinSeconds); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(n)
		if err != nil { // refuses what is no number
			t.Fatal(err)
		}
		t.Logf("%s", text)
		if n.Cores < 1 || n.Work.SliceMs <= 0 || n.Timer.N < MinSeconds || n.Loopback.N < MinSeconds || n.Timer.P50us <= 0 || n.Loopback.P50us <= 0 {
			t.Error("something was not measured")
		}
		if n.Timer.P50us > n.Timer.P99us || n.Timer.P99us > n.Timer.MaxUs {
			t.Errorf("timer: %+v", n.Timer)
		}
	}
	if n.StealPct == nil || n.OthersPct == nil || *n.OthersPct < 0 || *n.OthersPct > 100 {
		t.Error("what there was meanwhile is not known, or no share")
	}
}

func TestMeasureStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Measure(ctx, os.DirFS("/"), 3600); err != context.Canceled {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
