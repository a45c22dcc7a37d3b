package verdict

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Prior is what is known of a cell's variance before it is measured: as if
// from Free degrees of freedom, Variance had been seen. The zero Prior knows
// nothing, and the test is then Student's plain t.
type Prior struct {
	Free     float64 `json:"free"`
	Variance float64 `json:"variance"`
}

// A prior is fitted when leastNoiseHistory variances of the cell are known. It counts as mostFree
// degrees of freedom at most.
const (
	LeastNoiseHistory = 10
	mostFree          = 30
)

// leastVariance bounds what is taken for a variance: figures that agree to one
// part in ten thousand are as equal as they can be read.
const leastVariance = 1e-8

// A Variance was seen in a comparison: of the logarithms of head over base, in Free+1 rounds that
// counted.
type Variance struct {
	Variance float64 `json:"variance"`
	Free     float64 `json:"free"`
}

// Fit fits a prior to variances that were seen, by the moments of their
// logarithms: Smyth, Linear models and empirical Bayes methods for assessing
// differential expression (2004), section 6.2. Fewer than LeastNoiseHistory give none.
func Fit(noiseHistory []Variance) Prior {
	if len(noiseHistory) < LeastNoiseHistory {
		return Prior{}
	}
	var e []float64
	var within float64
	for _, v := range noiseHistory {
		half := v.Free / 2
		e = append(e, math.Log(max(v.Variance, leastVariance))-mathext.Digamma(half)+math.Log(half))
		within += trigamma(half) / float64(len(noiseHistory))
	}
	mean, variance := stat.MeanVariance(e, nil)
	free := float64(mostFree)
	// What variances differ by beyond what so few rounds explain.
	if between := variance - within; between > 0 {
		free = min(mostFree, 2*trigammaInverse(between))
	}
	return Prior{Free: free, Variance: math.Exp(mean + mathext.Digamma(free/2) - math.Log(free/2))}
}

// trigamma is the second derivative of the logarithm of the gamma function.
func trigamma(x float64) float64 {
	return trigammas.get(x, func() float64 { return mathext.Zeta(2, x) })
}

// trigammas holds known values, as quantiles does.
var trigammas memo[float64]

// A memo holds values that take long, by what they are of. It allocates nothing where a value is known.
type memo[K comparable] struct {
	mutex  sync.RWMutex
	values map[K]float64
}

func (m *memo[K]) get(of K, find func() float64) float64 {
	m.mutex.RLock()
	v, known := m.values[of]
	m.mutex.RUnlock()
	if known {
		return v
	}
	v = find()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.values == nil {
		m.values = map[K]float64{}
	}
	m.values[of] = v
	return v
}

// trigammaInverse is the x > 0 whose trigamma is y > 0, by Newton's method on 1/trigamma, which is
// convex and nearly linear.
func trigammaInverse(y float64) float64 {
	x := 0.5 + 1/y
	for range 50 {
		tri := trigamma(x)
		step := tri * (1 - tri/y) / (-2 * mathext.Zeta(3, x))
		x += step
		if math.Abs(step) < 1e-9*x {
			break
		}
	}
	return x
}

// leastFree is how many degrees of freedom a prior needs to say how noisy a comparison is.
const leastFree = 4

// A guard is how much noisier a comparison is than its priors: times the variance, at least 1.
// The noise history does not know that the machine is noisier today, and all cells feel it at
// once. unsure is the variance of the logarithm of times.
type guard struct{ times, unsure float64 }

// guardOf estimates the guard by a mean of logarithms over the cells, less what chance makes of it.
func guardOf(samples []sample) guard {
	var sum, n, unsure float64
	for _, s := range samples {
		if !s.complete() || s.prior.Free < leastFree {
			continue
		}
		seen, prior := float64(len(s.differences)-1)/2, s.prior.Free/2
		chance := mathext.Digamma(seen) - math.Log(seen) - mathext.Digamma(prior) + math.Log(prior)
		sum += math.Log(max(s.variance, leastVariance)/s.prior.Variance) - chance
		unsure += trigamma(seen) + trigamma(prior)
		n++
	}
	if n == 0 || sum <= 0 {
		return guard{1, 0}
	}
	return guard{math.Exp(sum / n), unsure / n / n}
}

// surprising is how rarely chance makes a cell so much noisier than its prior. Such a cell goes
// without: its noise grew, and that of the others did not.
const surprising = 0.05

// prior is that of a sample on such a day. It has fewer degrees of freedom, since the day is not
// known exactly.
func (g guard) prior(s sample) Prior {
	p := s.prior
	if p.Free > 0 && g.unsure > 0 {
		// The logarithm of a variance of n degrees of freedom has a variance of about 2/n. Tenths
		// are enough, and their quantiles are known already.
		p.Free = math.Floor(10/(1/p.Free+g.unsure/2)) / 10
	}
	p.Variance *= g.times
	if p.Free > 0 && s.complete() && s.variance > p.Variance*most(float64(len(s.differences)-1), p.Free) {
		return Prior{}
	}
	return p
}

// mosts are the ratios of variances that chance exceeds once in twenty times, by degrees of freedom.
var mosts memo[[2]float64]

func most(seen, free float64) float64 {
	return mosts.get([2]float64{seen, free}, func() float64 { return distuv.F{D1: seen, D2: free}.Quantile(1 - surprising) })
}

// An estimate is what values say of their mean: a t statistic, moderated by a
// prior, with its degrees of freedom.
type estimate struct {
	mean, se, free float64
}

// estimateMean wants two values or more.
func estimateMean(values []float64, prior Prior) estimate {
	mean, variance := stat.MeanVariance(values, nil)
	return estimateOf(float64(len(values)), mean, variance, prior)
}

func estimateOf(n, mean, variance float64, prior Prior) estimate {
	variance = max(variance, leastVariance)
	free := prior.Free + n - 1
	variance = (prior.Free*prior.Variance + (n-1)*variance) / free
	return estimate{mean, math.Sqrt(variance / n), free}
}

// p is the probability, if the mean were 0, of a mean as far from it, on either side.
func (e estimate) p() float64 {
	return 2 * e.student().CDF(-math.Abs(e.mean)/e.se)
}

// within is half the width of an interval that misses the mean with
// probability alpha.
func (e estimate) within(alpha float64) float64 { return e.se * e.quantile(1-alpha/2) }

// missed is the mean that a test at alpha finds 80 % of the time.
func (e estimate) missed(alpha float64) float64 {
	return e.within(alpha) + e.se*e.quantile(0.8)
}

// quantiles are those of Student's t that were asked for, by degrees of freedom and
// probability. Judging asks for a few of them again and again, and each takes long.
var quantiles memo[[2]float64]

func (e estimate) quantile(p float64) float64 {
	return quantiles.get([2]float64{e.free, p}, func() float64 { return e.student().Quantile(p) })
}

func (e estimate) student() distuv.StudentsT {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: e.free}
}

// holm adjusts p values of a family, so that each may be held against the
// family's alpha: Holm, A simple sequentially rejective multiple test procedure (1979).
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	adjusted := make([]float64, len(p))
	most := 0.0
	for rank, i := range order {
		most = max(most, float64(len(p)-rank)*p[i])
		adjusted[i] = min(1, most)
	}
	return adjusted
}
