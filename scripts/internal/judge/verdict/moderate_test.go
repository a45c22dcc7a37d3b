package verdict

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

func near(got, want, share float64) bool { return math.Abs(got-want) <= share*math.Abs(want) }

// Student's own example, The probable error of a mean (1908), section VIII: hours of
// sleep gained by ten patients with one drug rather than another; R's data set
// sleep and t.test give t = 4.0621 and p = 0.002833.
func TestStudentsExample(t *testing.T) {
	e := estimateMean([]float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4}, Prior{})
	if !near(e.mean/e.se, 4.0621, 1e-5) || !near(e.p(), 0.002833, 1e-4) {
		t.Errorf("t %.4f, p %.6f; want 4.0621, 0.002833", e.mean/e.se, e.p())
	}
	// The interval of the same t.test.
	if w := e.within(0.05); !near(e.mean-w, 0.7001142, 1e-6) || !near(e.mean+w, 2.4598858, 1e-6) {
		t.Errorf("interval %.7f to %.7f; want 0.7001142 to 2.4598858", e.mean-w, e.mean+w)
	}
}

// The p values of Holm's procedure as R's p.adjust gives them for its own example
// of five.
func TestHolm(t *testing.T) {
	got := holm([]float64{0.03, 0.01, 0.05, 0.02, 0.04})
	for i, want := range []float64{0.09, 0.05, 0.09, 0.08, 0.09} {
		if !near(got[i], want, 1e-12) {
			t.Errorf("adjusted %v; want 0.09 0.05 0.09 0.08 0.09", got)
			break
		}
	}
	if got := holm([]float64{0.6, 0.7}); got[0] != 1 || got[1] != 1 {
		t.Errorf("adjusted %v; want at most 1", got)
	}
}

// What scipy says: testdata/golden.py.
func TestAsScipy(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Fits []struct {
			NoiseHistory []Variance
			Prior
		}
		Tests []struct {
			Values            []float64
			Prior             Prior
			P, Within, Missed float64
		}
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	for i, want := range golden.Fits {
		if got := Fit(want.NoiseHistory); !near(got.Free, want.Free, 1e-6) || !near(got.Variance, want.Variance, 1e-6) {
			t.Errorf("fit %d: %+v; scipy has %+v", i, got, want.Prior)
		}
	}
	for i, want := range golden.Tests {
		e := estimateMean(want.Values, want.Prior)
		if !near(e.p(), want.P, 1e-6) || !near(e.within(0.05), want.Within, 1e-6) || !near(e.missed(0.0004), want.Missed, 1e-6) {
			t.Errorf("test %d: p %g, within %g, missed %g; scipy has %g, %g, %g", i, e.p(), e.within(0.05), e.missed(0.0004), want.P, want.Within, want.Missed)
		}
	}
	if len(golden.Fits) == 0 || len(golden.Tests) == 0 {
		t.Error("nothing was compared")
	}
}

func TestFewVariancesAreNoPrior(t *testing.T) {
	noiseHistory := make([]Variance, LeastNoiseHistory)
	for i := range noiseHistory {
		noiseHistory[i] = Variance{Variance: 0.0004, Free: 7}
	}
	if got := Fit(noiseHistory[1:]); got != (Prior{}) {
		t.Errorf("prior of %d variances: %+v; want none", len(noiseHistory)-1, got)
	}
	// All the same is less than chance: they count for as much as they may.
	if got := Fit(noiseHistory); got.Free != mostFree || got.Variance <= 0 {
		t.Errorf("prior of equal variances: %+v", got)
	}
}
