package doctor

import (
	"math"
	"slices"
)

// A sum of times; its mean is what is compared.
type sum struct {
	total float64
	n     int
}

func (s *sum) add(x float64) {
	s.total += x
	s.n++
}

// logRatio is ln(mean a / mean b).
func logRatio(a, b sum) float64 {
	return math.Log(a.total / float64(a.n) * float64(b.n) / b.total)
}

// rms is the root of the mean square: the standard deviation of what has the
// mean 0. It is NaN for none.
func rms(values []float64) float64 {
	squares := 0.0
	for _, x := range values {
		squares += x * x
	}
	return math.Sqrt(squares / float64(len(values)))
}

// deviations are how far the logarithms of values are from their mean.
func deviations(values []float64) []float64 {
	mean := 0.0
	for _, x := range values {
		mean += math.Log(x) / float64(len(values))
	}
	var d []float64
	for _, x := range values {
		d = append(d, math.Log(x)-mean)
	}
	return d
}

// quantile of sorted values, by nearest rank. It is NaN for none.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	rank := int(math.Ceil(q * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// sorted is a sorted copy.
func sorted(values []float64) []float64 { return slices.Sorted(slices.Values(values)) }
