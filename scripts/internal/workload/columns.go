package workload

import "strconv"

// A Column is a metric in a table. Package record has its label, unit and direction.
type Column struct {
	Metric   string
	Decimals int
	Scale    float64 // factor of the shown value
	Spread   bool    // a text table has room for its spread
}

// Text is a value as the column shows it.
func (c Column) Text(v float64) string {
	return strconv.FormatFloat(v*c.Scale, 'f', c.Decimals, 64)
}
