package record

import "slices"

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

// Median returns the median of sorted values. It wants at least one.
func Median(sorted []float64) float64 {
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
