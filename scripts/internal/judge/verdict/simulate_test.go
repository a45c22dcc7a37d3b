package verdict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/workload"
)

// A noise makes the logarithms of base and head of one cell, round by round, from what all cells of
// the round share.
type noise func(random *rand.Rand) func(round int, drift float64) (base, head float64)

const comparisonSD = 0.03 // large beside the floors: those must not hide what the test does wrong

// scaled is normal noise whose standard deviation depends on the round.
func scaled(times func(random *rand.Rand, round int) float64) noise {
	return func(random *rand.Rand) func(int, float64) (float64, float64) {
		return func(round int, drift float64) (float64, float64) {
			return drift, drift + random.NormFloat64()*comparisonSD*times(random, round)
		}
	}
}

// autocorrelated is normal noise in which each round's difference is that share of the one before.
func autocorrelated(share float64) noise {
	return func(random *rand.Rand) func(int, float64) (float64, float64) {
		d := random.NormFloat64()
		return func(round int, drift float64) (float64, float64) {
			if round > 1 {
				d = share*d + math.Sqrt(1-share*share)*random.NormFloat64()
			}
			return drift, drift + comparisonSD*d
		}
	}
}

var normal = scaled(func(*rand.Rand, int) float64 { return 1 })

// What machines do, and the rate of false alarms that is allowed. drift moves both sides alike: they
// share the seconds. Rounds that follow each other are alike on no machine that we measured, so
// there the rate is only watched.
var noises = []struct {
	name string
	most float64
	noise
}{
	{"normal", Alpha, normal},
	{"spikes: 3 of 100 rounds with eight times the noise", Alpha, scaled(func(random *rand.Rand, _ int) float64 {
		if random.Float64() < 0.03 {
			return 8
		}
		return 1
	})},
	{"heavy tails, t with 3 degrees of freedom", Alpha, func(random *rand.Rand) func(int, float64) (float64, float64) {
		d := distuv.StudentsT{Sigma: comparisonSD / 2, Nu: 3, Src: random}
		return func(_ int, drift float64) (float64, float64) { return drift + d.Rand(), drift + d.Rand() }
	}},
	{"unequal variance of the sides", Alpha, func(random *rand.Rand) func(int, float64) (float64, float64) {
		return func(_ int, drift float64) (float64, float64) {
			return drift + random.NormFloat64()*comparisonSD/4, drift + random.NormFloat64()*comparisonSD
		}
	}},
	{"half of the rounds with twice the noise", Alpha, scaled(func(random *rand.Rand, _ int) float64 { return 1 + float64(random.IntN(2)) })},
	{"noise that trebles at round 5", Alpha, scaled(func(_ *rand.Rand, round int) float64 {
		if round < 5 {
			return 1
		}
		return 3
	})},
	{"noise that is three times as large until round 8", Alpha, scaled(func(_ *rand.Rand, round int) float64 {
		if round <= 8 {
			return 3
		}
		return 1
	})},
	{"correlation of 0.1 from round to round", 0.015, autocorrelated(0.1)},
	{"correlation of 0.2 from round to round", 0.03, autocorrelated(0.2)},
	{"correlation of 0.3 from round to round", 0.06, autocorrelated(0.3)},
}

// simulatedCell is the deciding cell in which simulate makes a change.
const simulatedCell = "steady server_cpu_us_per_stream"

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
// is judged between them. Head is the same as base, times effect in simulatedCell.
func simulate(random *rand.Rand, make noise, effect float64) Answer {
	p := Comparison{Server: "a", Epoch: "e", Planned: Rounds}
	names, looks := simulatedCells(), Looks(Rounds)
	next := map[string]func(int, float64) (float64, float64){}
	for _, name := range names {
		next[name] = make(random)
	}
	drift := 0.0
	for round := 1; ; round++ {
		drift = 0.9*drift + 0.1*random.NormFloat64()
		r := Round{Round: round, Cells: map[string]At{}}
		for _, name := range names {
			b, h := next[name](round, drift)
			if name == simulatedCell {
				h += effect
			}
			r.Cells[name] = At{100 * math.Exp(b), 100 * math.Exp(h)}
		}
		p.Rounds = append(p.Rounds, r)
		if !slices.Contains(looks, round) {
			continue
		}
		if a := Judge(p); a.Done {
			return a
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

// The chance of any false alarm in a comparison without a change is at most alpha, whatever the
// noise. The limit allows for chance: at exactly that rate, one run of this test in a thousand is
// above it. The seed is fixed.
func TestFalsealarms(t *testing.T) {
	t.Parallel()
	comparisons := 1000
	if testing.Verbose() { // for the README
		comparisons = 10_000
	}
	for i, of := range noises {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, uint64(i)))
			n, rounds := 0, 0
			for range comparisons {
				a := simulate(random, of.noise, 0)
				if rounds += a.Rounds; changes(a) > 0 {
					n++
				}
			}
			t.Logf("%d of %d comparisons with a false alarm (%.2f %%), %.1f rounds each", n, comparisons, 100*float64(n)/float64(comparisons), float64(rounds)/float64(comparisons))
			chance := distuv.Binomial{N: float64(comparisons), P: of.most}
			if limit := chance.Mean() + 3.1*chance.StdDev(); float64(n) > limit {
				t.Errorf("%d of %d comparisons have a false alarm; want at most %.0f", n, comparisons, limit)
			}
		})
	}
}

// A change of one and a half times the noise of a round is nearly always found.
func TestPower(t *testing.T) {
	t.Parallel()
	const comparisons = 300
	random := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range comparisons {
		a := simulate(random, normal, 0.045)
		if cellOf(a, simulatedCell).Verdict == Regressed {
			found++
		}
	}
	t.Logf("%d of %d changes of 4.5 %% are found, where rounds scatter by %.0f %%", found, comparisons, 100*comparisonSD)
	if found < comparisons*9/10 {
		t.Errorf("%d of %d changes of 4.5 %% are found", found, comparisons)
	}
}
