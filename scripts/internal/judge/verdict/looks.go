package verdict

import (
	"cmp"
	"math"
)

// Alpha is the false-alarm rate: the chance that any cell of an unchanged server is called changed,
// over all its cells and looks. Failed requests are judged separately, with the same risk again
// (faults.go).
const Alpha = 0.01

// Rounds is how many rounds a comparison has at most, unless some are discarded.
const Rounds = 12

// Looks are the numbers of rounds after which a comparison is judged and may end: from twelve rounds
// on, after each third. Where the noise history allows it, the second is the last.
func Looks(rounds int) []int {
	if rounds < Rounds {
		return []int{rounds}
	}
	return []int{rounds / 3, 2 * rounds / 3, rounds}
}

// A look is a number of rounds after which a comparison is judged, and its part of alpha.
type look struct {
	rounds int
	alpha  float64
}

// spent is the share of alpha of each of three looks, and of each of two where the noise history
// allows a short comparison. The shares add up to 1, so that the looks together err no more often
// than alpha. The first look has the fewest rounds and the least share.
var (
	spent      = []float64{0.07, 0.33, 0.60}
	spentShort = []float64{0.25, 0.75}
)

// schedule is the looks of a comparison.
func schedule(p Comparison, priors Priors) (looks []look) {
	rounds, shares := Looks(p.Planned), spent
	if p.Planned == Rounds && short(p, priors) {
		rounds, shares = rounds[:2], spentShort
	}
	for i, n := range rounds {
		l := look{n, p.alpha()}
		if len(rounds) > 1 {
			l.alpha *= shares[i]
		}
		looks = append(looks, l)
	}
	return looks
}

// alpha is the false-alarm rate of a comparison.
func (p Comparison) alpha() float64 { return cmp.Or(p.Alpha, Alpha) }

// enoughSE is the standard error, as a share of its margin, with which an unchanged cell excludes
// the margin nine times in ten.
const enoughSE = 0.25

// short reports whether the second look of three should be the last: in the noise history, its
// rounds were enough in each deciding cell.
func short(p Comparison, priors Priors) bool {
	n := float64(Looks(p.Planned)[1])
	criteria := criteriaOf(p.Workload, p.Margins)
	for i := range criteria {
		c := &criteria[i]
		if c.Decides == "" {
			continue
		}
		prior := priors.Of(p.Epoch, p.Server, c.name)
		if prior.Free == 0 || math.Sqrt(prior.Variance/n) > enoughSE*math.Log1p(c.Margin) {
			return false
		}
	}
	return true
}

// MostDiscarded is how many rounds of a comparison may be repeated.
func MostDiscarded(rounds int) int { return (rounds + 1) / 2 }

// tooManyDiscarded reports whether the machine is too noisy to go on, when this many rounds count.
func (p Comparison) tooManyDiscarded(counting int) bool {
	return len(p.Rounds)-counting > MostDiscarded(p.Planned)
}

// Complete reports whether a comparison has all rounds that it may have, whatever they say.
func (p Comparison) Complete() bool {
	_, _, failed := faults(p)
	counting := len(p.Counting())
	return failed || p.tooManyDiscarded(counting) || counting >= p.Planned
}
