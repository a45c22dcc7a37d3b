package verdict

import (
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A cell leans when its whole interval is outside the margin. The verdict stays.
func TestACellLeansOutsideOfItsMargin(t *testing.T) {
	p95, _ := record.Find("stream_p95_ms")
	rate, _ := record.Find("rate_per_s")
	for _, c := range []struct {
		cell Cell
		want string
	}{
		{Cell{Metric: p95, Change: 4, Low: 3.13, High: 5.99, Verdict: Inconclusive}, "worse"},
		{Cell{Metric: p95, Change: -0.2, Low: -0.4, High: -0.11, Verdict: Inconclusive}, "better"},
		{Cell{Metric: p95, Change: 0.3, Low: 0.09, High: 0.5, Verdict: Inconclusive}, ""},
		{Cell{Metric: rate, Change: -0.25, Low: -0.3, High: -0.2, Verdict: Inconclusive}, "worse"},
		{Cell{Metric: rate, Change: 0.25, Low: 0.2, High: 0.3, Verdict: Inconclusive}, "better"},
		{Cell{Metric: p95, Low: 0.2, High: 0.3, Verdict: Regressed}, ""},
		{Cell{Metric: p95, Low: 0.2, High: 0.3, Verdict: Inconclusive, Unconfirmed: true}, ""},
		{Cell{Metric: p95, Verdict: NotMeasured}, ""},
	} {
		c.cell.Criterion = workload.Criterion{Margin: 0.1}
		if got := c.cell.Leaning(); got != c.want {
			t.Errorf("%+v: %q; want %q", c.cell, got, c.want)
		}
	}
}
