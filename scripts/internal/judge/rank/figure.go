// Package rank turns the records of a run into figures and ranks: the mean of the rounds, and the order of
// the servers. Every table, chart and page shows these figures. It does not judge changes.
//
// A round with failed requests does not count. A failed request costs less, so the server would look fast. For
// the share of failed requests alone, every round counts.
package rank

import (
	"math"
	"slices"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// FailedPct is the share of requests that failed, in per cent.
const FailedPct = "failed_pct"

// A Figure is a metric of one target in one scenario, in the metric's unit.
type Figure struct {
	Mid, Low, High float64 // mean of the rounds (record.Mean), lowest and highest; NaN: unknown
	Rounds         int     // rounds that count and know the metric
}

// CountedRecords returns the records of rounds without failed requests.
func CountedRecords(records []record.Record) []record.Record {
	return record.Filter(records, func(r record.Record) bool { return isCounted(r.Metrics) })
}

func isCounted(m record.Metrics) bool {
	failed, known := m.Get(FailedPct)
	return known && failed == 0
}

// NewFigure combines the rounds of a metric of one target in one scenario.
func NewFigure(records []record.Record, metric string) Figure {
	var values []float64
	for i := range records { // by index, since records are large and a site has a million
		m := records[i].Metrics
		if v, known := m.Get(metric); known && (metric == FailedPct || isCounted(m)) {
			values = append(values, v)
		}
	}
	return figureOf(values, record.Absolute(metric))
}

func figureOf(values []float64, absolute bool) Figure {
	if len(values) == 0 {
		return Figure{math.NaN(), math.NaN(), math.NaN(), 0}
	}
	return Figure{record.Mean(values, absolute), slices.Min(values), slices.Max(values), len(values)}
}

// Unknown stands in text for an unknown value.
const Unknown = "?"

// Text is the mean as text.
func (f Figure) Text(c workload.Column) string {
	if f.Rounds == 0 {
		return Unknown
	}
	return c.Text(f.Mid)
}

// Spread is the range of the rounds as text; "" when both ends read the same.
func (f Figure) Spread(c workload.Column) string {
	if f.Rounds < 2 || c.Text(f.Low) == c.Text(f.High) {
		return ""
	}
	return c.Text(f.Low) + " to " + c.Text(f.High)
}

// SendsLumps reports whether tokens of a target come in lumps. Its p50 of ITL in a scenario is then 0, or below
// half of direct's, which keeps the stub's pace. A buffer releases several tokens at once, so a low ITL says
// nothing good. On a full machine k6 itself may read several at once. pace is the p50 of direct.
func SendsLumps(server, direct []record.Record) (itl, pace float64, lumps bool) {
	own, all := NewFigure(server, "itl_p50_ms"), NewFigure(direct, "itl_p50_ms")
	return own.Mid, all.Mid, own.Rounds > 0 && (own.Mid == 0 || all.Rounds > 0 && own.Mid < all.Mid/2)
}
