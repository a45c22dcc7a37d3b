package workload

import "strconv"

// A Column is a metric in a table. Its label, unit and direction are those of the
// metric in package record.
type Column struct {
	Metric   string
	Decimals int
	Scale    float64 // by which a value is multiplied to be shown
	Spread   bool    // text has room for its spread
}

// Text is a value as the column shows it.
func (c Column) Text(v float64) string {
	return strconv.FormatFloat(v*c.Scale, 'f', c.Decimals, 64)
}
