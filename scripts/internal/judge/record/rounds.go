package record

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// MetricValues returns the known values of a metric, ascending.
func MetricValues(records []Record, metric string) []float64 {
	var values []float64
	for _, r := range records {
		if v, ok := r.Metrics.Get(metric); ok {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

// Mean is the figure of several rounds: their geometric mean. The ratio of two figures is then the mean ratio of their
// rounds. It is the arithmetic mean of absolute values, and where one is 0 or less. It wants at least one value.
func Mean(values []float64, absolute bool) float64 {
	low, high := slices.Min(values), slices.Max(values)
	if absolute || low <= 0 {
		return stat.Mean(values, nil)
	}
	return min(max(stat.GeometricMean(values, nil), low), high) // rounding stays within the rounds
}

// Median returns the median of sorted values. It wants at least one.
func Median(sorted []float64) float64 {
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
