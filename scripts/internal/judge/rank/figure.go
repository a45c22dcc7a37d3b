// Package rank works out what a run says of its targets: the median of the rounds, and
// the order of the servers. Every table, chart and page shows these figures.
//
// A round in which streams failed does not count: what a server did not deliver was
// free, and would make it look fast. The share of streams that failed is the one metric
// for which every round counts.
package rank

import (
	"math"
	"slices"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// FailedPct is the share of streams that failed, in per cent.
const FailedPct = "failed_pct"

// A Figure is a metric of one target in one scenario, in the metric's unit.
type Figure struct {
	Mid, Low, High float64 // the median, the least and the greatest of the rounds; NaN: unknown
	Rounds         int     // that count and know the metric
}

// CountedRecords are the records of rounds in which no stream failed.
func CountedRecords(records []record.Record) []record.Record {
	return record.Filter(records, func(r record.Record) bool { return isCounted(r.Metrics) })
}

func isCounted(m record.Metrics) bool {
	failed, known := m.Get(FailedPct)
	return known && failed == 0
}

// NewFigure is a metric over the rounds of a target in a scenario.
func NewFigure(records []record.Record, metric string) Figure {
	var values []float64
	for i := range records { // records are large: a site asks this of a million
		m := records[i].Metrics
		if v, known := m.Get(metric); known && (metric == FailedPct || isCounted(m)) {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return Figure{math.NaN(), math.NaN(), math.NaN(), 0}
	}
	slices.Sort(values)
	return Figure{record.Median(values), values[0], values[len(values)-1], len(values)}
}

// Unknown stands in text for a value that is not known.
const Unknown = "?"

// Text is the median.
func (f Figure) Text(c workload.Column) string {
	if f.Rounds == 0 {
		return Unknown
	}
	return c.Text(f.Mid)
}

// Spread is the least and the greatest; "" where they read the same.
func (f Figure) Spread(c workload.Column) string {
	if f.Rounds < 2 || c.Text(f.Low) == c.Text(f.High) {
		return ""
	}
	return c.Text(f.Low) + " to " + c.Text(f.High)
}

// SendsLumps reports whether a server sends its tokens in lumps: its median ITL in a scenario is less
// than half of that of direct, which passes tokens on at the stub's pace. A buffer empties its
// tokens at once, so that a low ITL then says nothing good. pace is the median ITL of direct.
func SendsLumps(server, direct []record.Record) (itl, pace float64, lumps bool) {
	own, all := NewFigure(server, "itl_p50_ms"), NewFigure(direct, "itl_p50_ms")
	return own.Mid, all.Mid, own.Rounds > 0 && all.Rounds > 0 && own.Mid < all.Mid/2
}
