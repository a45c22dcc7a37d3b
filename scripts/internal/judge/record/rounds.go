package record

import "slices"

// MetricValues are the values of a metric in the records that know it, ascending.
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

// Median is that of sorted values, of which there must be one.
func Median(sorted []float64) float64 {
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
