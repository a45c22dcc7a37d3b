package verdict

import (
	"cmp"
	"math"
	"sync"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Alpha is the false-alarm rate: the chance that any cell of an unchanged server is called changed,
// over all its cells and looks. Failed requests are judged separately, with about the same risk again
// (faults.go).
const Alpha = 0.01

// Rounds is how many rounds a comparison has at most, unless some are discarded. OnceRounds is the
// number of one that is judged once.
const (
	Rounds     = 24
	OnceRounds = 12
)

// decidingShare is the part of the risk that the deciding cells share.
const decidingShare = 0.8

// Looks are the numbers of rounds after which a comparison is judged and may end: after 4, and after
// every second one. The last is rounds.
func Looks(rounds int) (looks []int) {
	for n := 4; n < rounds; n += 2 {
		looks = append(looks, n)
	}
	return append(looks, rounds)
}

// A look is a number of rounds after which a comparison is judged, and the risk that it adds.
type look struct {
	rounds int
	risk   float64
}

// looks are those of a comparison. After n of N rounds they have used (n/N)^2 of its risk. So the
// first look, which has the fewest rounds, has the least.
func (p Comparison) looks() (looks []look) {
	rounds := Looks(p.Planned)
	if p.Once {
		rounds = rounds[len(rounds)-1:]
	}
	used := 0.0
	for _, n := range rounds {
		share := math.Pow(float64(n)/float64(p.Planned), 2)
		looks = append(looks, look{n, p.alpha() * (share - used)})
		used = share
	}
	return looks
}

// alpha is the false-alarm rate of a comparison.
func (p Comparison) alpha() float64 { return cmp.Or(p.Alpha, Alpha) }

// risks divides the risk of a look: evenly among the cells that decide, and evenly among the others.
func risks(risk float64, deciding, others int) (ofDeciding, ofOther float64) {
	return decidingShare * risk / float64(max(1, deciding)), (1 - decidingShare) * risk / float64(max(1, others))
}

// leastVariance bounds what is taken for a variance: figures that agree to one
// part in ten thousand are as equal as they can be read.
const leastVariance = 1e-8

// An estimate is what the rounds say of the mean of a cell: its standard error, and its degrees of
// freedom.
type estimate struct{ mean, se, free float64 }

// estimateOf wants two differences or more.
func estimateOf(differences []float64) estimate {
	mean, variance := stat.MeanVariance(differences, nil)
	n := float64(len(differences))
	return estimate{mean, math.Sqrt(max(variance, leastVariance) / n), n - 1}
}

// p is the probability, if the mean were 0, of a mean as far from it, on either side.
func (e estimate) p() float64 {
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: e.free}.CDF(-math.Abs(e.mean)/e.se)
}

// within is half the width of the 95 % interval.
func (e estimate) within() float64 { return e.se * Quantile(e.free) }

// MeanInterval is the mean of two differences or more, and its 95 % interval.
func MeanInterval(differences []float64) (mean, low, high float64) {
	e := estimateOf(differences)
	return e.mean, e.mean - e.within(), e.mean + e.within()
}

// quantiles are the 97.5 % quantiles of Student's t that were computed, by degrees of freedom. They
// are few, and each takes long.
var quantiles sync.Map

// Quantile is the 97.5 % quantile of Student's t: half the width of a 95 % interval, in standard errors.
func Quantile(free float64) float64 {
	t, known := quantiles.Load(free)
	if !known {
		t, _ = quantiles.LoadOrStore(free, distuv.StudentsT{Mu: 0, Sigma: 1, Nu: free}.Quantile(0.975))
	}
	return t.(float64)
}

// MostDiscarded is how many rounds of a comparison may be repeated.
func MostDiscarded(rounds int) int { return (rounds + 1) / 2 }

// tooManyDiscarded reports whether the machine is too noisy to go on, when this many rounds count.
func (p Comparison) tooManyDiscarded(counting int) bool {
	return len(p.Rounds)-counting > MostDiscarded(p.Planned)
}
