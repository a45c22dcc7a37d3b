package verdict

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func near(got, want, share float64) bool { return math.Abs(got-want) <= share*math.Abs(want) }

// Student's own example, The probable error of a mean (1908), section VIII: hours of
// sleep gained by ten patients with one drug rather than another; R's data set
// sleep and t.test give t = 4.0621 and p = 0.002833.
func TestStudentsExample(t *testing.T) {
	e := estimateOf([]float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4})
	if !near(e.mean/e.se, 4.0621, 1e-5) || !near(e.p(), 0.002833, 1e-4) {
		t.Errorf("t %.4f, p %.6f; want 4.0621, 0.002833", e.mean/e.se, e.p())
	}
	// The interval of the same t.test.
	if w := e.within(); !near(e.mean-w, 0.7001142, 1e-6) || !near(e.mean+w, 2.4598858, 1e-6) {
		t.Errorf("interval %.7f to %.7f; want 0.7001142 to 2.4598858", e.mean-w, e.mean+w)
	}
}

func TestLooks(t *testing.T) {
	for rounds, want := range map[int][]int{
		1: {1}, 3: {3}, 4: {4}, 5: {4, 5}, 12: {4, 6, 8, 10, 12}, 24: {4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24},
	} {
		if got := Looks(rounds); !slices.Equal(got, want) {
			t.Errorf("looks of %d rounds: %v, want %v", rounds, got, want)
		}
	}
}

// The looks share the risk, and no more. After n of N rounds they have used (n/N)^2 of it.
func TestTheLooksShareTheRisk(t *testing.T) {
	for _, c := range []struct {
		p     Comparison
		first float64 // risk
	}{
		{Comparison{Planned: 24}, Alpha / 36},
		{Comparison{Planned: 12}, Alpha / 9},
		{Comparison{Planned: 12, Once: true}, Alpha},
		{Comparison{Planned: 3}, Alpha},
		{Comparison{Planned: 24, Alpha: Alpha / 8}, Alpha / 288},
	} {
		looks, sum := c.p.looks(), 0.0
		for _, l := range looks {
			sum += l.risk
		}
		if !near(sum, c.p.alpha(), 1e-9) || !near(looks[0].risk, c.first, 1e-9) || looks[len(looks)-1].rounds != c.p.Planned {
			t.Errorf("%+v: %v; want a first risk of %g and a sum of %g", c.p, looks, c.first, c.p.alpha())
		}
	}
}

// Deciding cells share four fifths of the risk evenly, the others the rest.
func TestDecidingCellsHaveMostOfTheRisk(t *testing.T) {
	p := comparisonOf(12, 0.005, nil)
	p.Once = true
	sum := 0.0
	for _, c := range Judge(p).Cells {
		sum += c.Risk
		if c.Deciding() && !near(c.Risk, 0.8*Alpha/4, 1e-9) || !c.Deciding() && !near(c.Risk, 0.2*Alpha/8, 1e-9) {
			t.Errorf("%s has a risk of %g", c.Criterion.Name(), c.Risk)
		}
	}
	if !near(sum, Alpha, 1e-9) {
		t.Errorf("all cells have a risk of %g, want %g", sum, Alpha)
	}
}

// A comparison whose rounds are noisy names the change that it excludes, up to twice the margin.
func TestAVerdictHasASize(t *testing.T) {
	const rate = "stress rate_per_s"
	for _, c := range []struct {
		high float64 // end of the interval, in margins
		want Verdict
	}{{0.85, Unchanged}, {1.1, NoLargeChange}, {1.9, NoLargeChange}, {2.1, Inconclusive}} {
		p := comparisonOf(12, 0.001, nil)
		margin := 0.03
		within := math.Log1p(c.high * margin)
		for i := range p.Rounds { // alternating differences, whose mean is 0
			d := within / Quantile(11) * math.Sqrt(11)
			if i%2 == 1 {
				d = -d
			}
			for _, level := range []string{"stress-100", "stress-200"} {
				p.Rounds[i].Cells[level+" rate_per_s"] = At{100, 100 * math.Exp(d)}
			}
		}
		a := Judge(p)
		if got := cellOf(a, rate); a.Verdict != c.want || got.Verdict != c.want || !near(got.Excluded(), c.high*margin, 0.01) || !a.Done {
			t.Errorf("excludes %.2f margins: server %s, cell %s, excluded %.4f; want %s", c.high, a.Verdict, got.Verdict, got.Excluded(), c.want)
		}
		p.Rounds = p.Rounds[:10]
		if a := Judge(p); a.Done != (c.want == Unchanged) {
			t.Errorf("excludes %.2f margins: done is %t before the last round", c.high, a.Done)
		}
	}
}

// An interval that lies outside the margin is not called no change, however small the change is.
func TestACellThatLeansIsNotUnchanged(t *testing.T) {
	p := comparisonOf(12, 0.001, nil)
	for i := range p.Rounds {
		d := 0.045 + 0.01*float64(i%3-1)
		p.Rounds[i].Cells["steady server_cpu_us_per_stream"] = At{100, 100 * math.Exp(d)}
	}
	p.Alpha = 1e-12 // not sure enough for a verdict
	a := Judge(p)
	if c := cellOf(a, "steady server_cpu_us_per_stream"); c.Verdict != Inconclusive || c.Leaning() != "worse" || a.Verdict != Inconclusive {
		t.Errorf("server %s, cell %s from %.3f to %.3f, leaning %q", a.Verdict, c.Verdict, c.Low, c.High, c.Leaning())
	}
}

// Beside a busy neighbour a late rig does not discard a round.
func TestALateRigBesideANeighbourCounts(t *testing.T) {
	for others, want := range map[float64]int{5: 4, 10: 4, 11: 0, 60: 0} {
		t.Run(fmt.Sprint(others), func(t *testing.T) {
			discarded := 0
			for _, r := range Comparisons(comparisonRecords(lateRig(others)))[0].Rounds {
				discarded += len(r.Discarded)
			}
			if discarded != want {
				t.Errorf("%d of 4 rounds discarded, want %d", discarded, want)
			}
		})
	}
}
