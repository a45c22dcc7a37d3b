package rank

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// studentizedRange is the quantile of Tukey's studentized range: the range of k standard normal values over an
// independent estimate of their standard deviation. free are the degrees of freedom of the estimate. Servers whose means
// differ by more than it times the standard error of a mean are apart, whichever pair is looked at.
func studentizedRange(probability float64, k int, free float64) float64 {
	of := [3]float64{probability, float64(k), free}
	if q, known := quantiles.Load(of); known {
		return q.(float64)
	}
	low, high := 0.0, 100.0
	for range 24 {
		mid := (low + high) / 2
		if rangeCDF(mid, k, free) < probability {
			low = mid
		} else {
			high = mid
		}
	}
	quantiles.Store(of, high)
	return high
}

// quantiles are those that were computed, since each takes long and few are asked for.
var quantiles sync.Map

// rangeCDF is the distribution of the studentized range.
func rangeCDF(q float64, k int, free float64) float64 {
	chi := distuv.ChiSquared{K: free}
	// The estimate over the true standard deviation, at each quantile of its distribution.
	return quad.Fixed(func(p float64) float64 {
		return normalRangeCDF(q*math.Sqrt(chi.Quantile(p)/free), k)
	}, 0, 1, 64, nil, 0)
}

// normalRangeCDF is the distribution of the range of k standard normal values: one is the least, and no other is further
// than the range above it.
func normalRangeCDF(width float64, k int) float64 {
	normal := distuv.UnitNormal
	return float64(k) * quad.Fixed(func(least float64) float64 {
		return normal.Prob(least) * math.Pow(normal.CDF(least+width)-normal.CDF(least), float64(k-1))
	}, -8, 8, 64, nil, 0)
}
