package verdict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/workload"
)

// A noise makes the logarithms of base and head of one cell in one round, from
// what all cells of the round share.
type noise func(random *rand.Rand, comparison, round int, drift float64) (base, head float64)

const comparisonSD = 0.03 // large beside the floors: those must not hide what the test does wrong

func normal(random *rand.Rand, comparison, round int, drift float64) (float64, float64) {
	return drift + random.NormFloat64()*comparisonSD/math.Sqrt2, drift + random.NormFloat64()*comparisonSD/math.Sqrt2
}

// What machines do. drift moves both sides alike: they share the seconds.
var noises = map[string]noise{
	"normal": normal,
	"spikes of eight sd in 3 of 100 figures": func(random *rand.Rand, comparison, round int, drift float64) (float64, float64) {
		b, h := normal(random, comparison, round, drift)
		if random.Float64() < 0.03 {
			b += 8 * comparisonSD / math.Sqrt2
		}
		if random.Float64() < 0.03 {
			h += 8 * comparisonSD / math.Sqrt2
		}
		return b, h
	},
	"heavy tails, t with 3 degrees of freedom": func(random *rand.Rand, comparison, round int, drift float64) (float64, float64) {
		d := distuv.StudentsT{Sigma: comparisonSD / 2, Nu: 3, Src: random}
		return drift + d.Rand(), drift + d.Rand()
	},
	"unequal variance of the sides": func(random *rand.Rand, comparison, round int, drift float64) (float64, float64) {
		return drift + random.NormFloat64()*comparisonSD/4, drift + random.NormFloat64()*comparisonSD
	},
	"variance that differs from comparison to comparison": func(random *rand.Rand, comparison, round int, drift float64) (float64, float64) {
		own := rand.New(rand.NewPCG(uint64(comparison), 1)) // the same in all of a comparison
		sd := comparisonSD * math.Exp(0.4*own.NormFloat64())
		return drift, drift + random.NormFloat64()*sd
	},
	"rounds that grow noisier": func(random *rand.Rand, comparison, round int, drift float64) (float64, float64) {
		return drift, drift + random.NormFloat64()*comparisonSD*float64(round)/6
	},
}

// simulatedCells are the figures of a round, as many as a comparison has.
func simulatedCells() (names []string) {
	for _, c := range workload.Named("relay").Criteria {
		for _, record := range c.Records() {
			if !c.Absolute {
				names = append(names, cellName(record, c.Metric))
			}
		}
	}
	return names
}

// simulate makes rounds of a comparison until Judge says that it is done. It asks at the looks, since nothing
// is judged between them. Head is the same as base, times effect in one cell.
func simulate(random *rand.Rand, comparison int, make noise, effect float64, priors Priors) (Comparison, Answer) {
	p := Comparison{Server: "a", Epoch: "e", Planned: Rounds}
	names, looks := simulatedCells(), Looks(Rounds)
	drift := 0.0
	for round := 1; ; round++ {
		drift = 0.9*drift + 0.1*random.NormFloat64()
		r := Round{Round: round, Cells: map[string]At{}}
		for i, name := range names {
			b, h := make(random, comparison*100+i, round, drift)
			if i == 0 {
				h += effect
			}
			r.Cells[name] = At{100 * math.Exp(b), 100 * math.Exp(h)}
		}
		p.Rounds = append(p.Rounds, r)
		if !slices.Contains(looks, round) {
			continue
		}
		if a := Judge(p, priors); a.Done {
			return p, a
		}
	}
}

func changes(a Answer) (n int) {
	for _, c := range a.Cells {
		if c.Verdict == Regressed || c.Verdict == Improved {
			n++
		}
	}
	return n
}

// The chance of any false alarm in a comparison without a change is at most alpha, with
// priors fitted to earlier comparisons and without, whatever the noise. The limit
// allows for chance: at exactly alpha, one run of this test in a thousand is above it. The seed is
// fixed.
func TestFalsealarms(t *testing.T) {
	t.Parallel()
	const comparisons = 800
	limit := int(distuv.Binomial{N: comparisons, P: Alpha}.Mean() + 3.1*distuv.Binomial{N: comparisons, P: Alpha}.StdDev())
	for name, noise := range noises {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			for _, fitted := range []bool{false, true} {
				priors, kind := Priors{}, "without priors"
				if fitted {
					kind = "with fitted priors"
					var noiseHistory []NoiseHistory
					for comparison := range 60 {
						p, _ := simulate(random, comparison, noise, 0, Priors{})
						noiseHistory = append(noiseHistory, Remember(p, fmt.Sprint(comparison)))
					}
					priors = FitPriors(noiseHistory)
				}
				n, rounds := 0, 0
				for comparison := range comparisons {
					_, a := simulate(random, 1000+comparison, noise, 0, priors)
					rounds += a.Rounds
					if changes(a) > 0 {
						n++
					}
				}
				t.Logf("%s: %d of %d comparisons with a false alarm (%.2f %%), %.1f rounds each", kind, n, comparisons, 100*float64(n)/comparisons, float64(rounds)/comparisons)
				if n > limit {
					t.Errorf("%s: %d of %d comparisons have a false alarm; want at most %d", kind, n, comparisons, limit)
				}
			}
		})
	}
}

// A change is found, and the more surely with priors.
func TestPower(t *testing.T) {
	t.Parallel()
	const comparisons = 300
	random := rand.New(rand.NewPCG(3, 4))
	var noiseHistory []NoiseHistory
	for comparison := range 60 {
		p, _ := simulate(random, comparison, normal, 0, Priors{})
		noiseHistory = append(noiseHistory, Remember(p, fmt.Sprint(comparison)))
	}
	found := map[bool]int{}
	for _, fitted := range []bool{false, true} {
		priors := Priors{}
		if fitted {
			priors = FitPriors(noiseHistory)
		}
		for comparison := range comparisons {
			_, a := simulate(random, comparison, normal, 0.045, priors)
			if c := a.Cells[0]; c.Verdict == Regressed && cellName(c.Scenario, c.Metric.Name) == simulatedCells()[0] {
				found[fitted]++
			}
		}
	}
	t.Logf("of %d changes of 4.5 %% where comparisons of rounds scatter by %.0f %%: found %d without priors, %d with", comparisons, 100*comparisonSD, found[false], found[true])
	if found[true] <= found[false] || found[true] < comparisons/2 {
		t.Errorf("found %d without priors and %d with, of %d", found[false], found[true], comparisons)
	}
}

// On a quiet machine comparisons end early, and the priors of each generation are
// fitted to what those before left: what is remembered must not shrink with them.
func TestPriorsDoNotShrinkFromComparisonToComparison(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	quiet := func(random *rand.Rand, comparison, round int, drift float64) (float64, float64) {
		return drift, drift + random.NormFloat64()*0.012
	}
	var noiseHistory []NoiseHistory
	early, wrong := 0, 0
	const comparisons = 600
	for comparison := range comparisons {
		p, a := simulate(random, comparison, quiet, 0, FitPriors(noiseHistory))
		noiseHistory = append(noiseHistory, Remember(p, fmt.Sprint(comparison)))
		if a.Rounds < Rounds {
			early++
		}
		if changes(a) > 0 {
			wrong++
		}
	}
	sum, n := 0.0, 0
	for _, cells := range FitPriors(noiseHistory)["e"] {
		for _, prior := range cells {
			sum, n = sum+prior.Variance, n+1
		}
	}
	sd := math.Sqrt(sum / float64(n))
	t.Logf("%d of %d comparisons ended early, %d with a false alarm; the priors' sd is %.2f %%, true is 1.2 %%", early, comparisons, wrong, 100*sd)
	if early < comparisons/2 {
		t.Errorf("%d of %d comparisons ended early; the test is about those", early, comparisons)
	}
	if sd < 0.011 || sd > 0.013 {
		t.Errorf("the priors' sd is %.4f; want 0.012", sd)
	}
	if most := int(comparisons*Alpha + 3.1*math.Sqrt(comparisons*Alpha)); wrong > most {
		t.Errorf("%d false alarms; want at most %d", wrong, most)
	}
}

// On a day that is noisier than the noise history, in all cells or in some, the rate of false
// alarms stays near alpha. -long draws 20,000 comparisons of each case.
func TestFalseAlarmsOnANoisierDay(t *testing.T) {
	t.Parallel()
	const most = 0.015
	comparisons := 3000
	if os.Getenv("FAIRSTREAM_LONG") != "" {
		comparisons = 20_000
	}
	random := rand.New(rand.NewPCG(9, 10))
	var noiseHistory []NoiseHistory
	for comparison := range 60 {
		p, _ := simulate(random, comparison, normal, 0, Priors{})
		noiseHistory = append(noiseHistory, Remember(p, fmt.Sprint(comparison)))
	}
	priors := FitPriors(noiseHistory)
	for i, day := range []struct {
		times float64
		cells int // of 14 figures, in which it is noisier
	}{{1.5, 14}, {2, 14}, {3, 14}, {2, 7}, {3, 1}} {
		t.Run(fmt.Sprintf("x%g in %d cells", day.times, day.cells), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(11, uint64(i)))
			noise := func(random *rand.Rand, cell, round int, drift float64) (float64, float64) {
				b, h := normal(random, cell, round, 0)
				if cell%100 < day.cells {
					b, h = day.times*b, day.times*h
				}
				return b, h
			}
			alarms := 0
			for comparison := range comparisons {
				if _, a := simulate(random, comparison, noise, 0, priors); changes(a) > 0 {
					alarms++
				}
			}
			rate := float64(alarms) / float64(comparisons)
			t.Logf("%d of %d comparisons with a false alarm (%.2f %%)", alarms, comparisons, 100*rate)
			if chance := 3.1 * math.Sqrt(most*(1-most)/float64(comparisons)); rate > most+chance {
				t.Errorf("%.2f %% of comparisons have a false alarm; want at most %.1f %%", 100*rate, 100*most)
			}
		})
	}
}
