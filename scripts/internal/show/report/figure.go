package report

import (
	"fmt"
	"math"

	"golang.org/x/perf/benchmath"

	"fairstream/scripts/internal/judge/record"
)

// A figure is a metric over the rounds of a cell.
type figure struct {
	mid, low, high float64 // the median, and what spread says of the rest
	rounds         int     // in which it is known; 0: nothing is
}

// enough rounds make an interval of the median: with fewer than six, no two of
// the values hold it with 95 % confidence.
const enough = 6

// over is a metric's median over the rounds that know it.
func over(records []record.Record, metric string) figure {
	values := record.Known(records, metric)
	if len(values) == 0 {
		return figure{mid: math.NaN(), low: math.NaN(), high: math.NaN()}
	}
	f := figure{record.Median(values), values[0], values[len(values)-1], len(values)}
	if f.rounds >= enough {
		s := benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), 0.95)
		f.mid, f.low, f.high = s.Center, s.Lo, s.Hi
	}
	return f
}

// unknown is what stands for a value that is not known.
const unknown = "?"

func (f figure) text(c column) string {
	if f.rounds == 0 {
		return unknown
	}
	return c.text(f.mid)
}

// spread is the interval as text; "" when one round, or none, has no spread, and
// when it is too narrow to show.
func (f figure) spread(c column) string {
	if f.rounds < 2 || c.text(f.low) == c.text(f.high) {
		return ""
	}
	return c.text(f.low) + " to " + c.text(f.high)
}

// spreadMeans says what stands beside a median.
func spreadMeans(rounds int) string {
	switch {
	case rounds < 2:
		return "One round: its own figures, and nothing says how far another would be from them."
	case rounds < enough:
		return fmt.Sprintf("Figures are medians of %d rounds; with them stand the least and the greatest, which is no confidence interval: %d rounds are too few for one.", rounds, rounds)
	}
	return fmt.Sprintf("Figures are medians of %d rounds; with them stands the median's 95 %% confidence interval (order statistics).", rounds)
}
