package verdict

import (
	"math"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// noisyIn is a comparison that scatters by a fifth in the cells named and hardly in all others.
func noisyIn(rounds int, cells ...string) Comparison {
	p, noisy := comparisonOf(rounds, 0.002, nil), comparisonOf(rounds, 0.2, nil)
	for i := range p.Rounds {
		for _, name := range cells {
			p.Rounds[i].Cells[name] = noisy.Rounds[i].Cells[name]
		}
	}
	return p
}

func TestOnlyDecidingCellsLeaveAServerOpen(t *testing.T) {
	for _, c := range []struct {
		cells []string // that are noisy
		want  Verdict
	}{
		{nil, Unchanged},
		{[]string{"steady itl_p99_ms", "steady ttft_p95_ms", "stress-100 server_rss_peak_bytes"}, Unchanged},
		{[]string{"stress-100 stream_p95_ms", "stress-200 stream_p95_ms"}, Unchanged},
		{[]string{"steady server_cpu_us_per_stream"}, Inconclusive},
		{[]string{"baseline ttft_p95_ms"}, Inconclusive},
		{[]string{"stress-200 server_rss_peak_bytes"}, Inconclusive},
		{[]string{"stress-200 rate_per_s"}, Inconclusive},
	} {
		a := Judge(noisyIn(8, c.cells...))
		if a.Verdict != c.want || a.Done != (c.want == Unchanged) {
			t.Errorf("noise in %q: %s, done %t; want %s", c.cells, a.Verdict, a.Done, c.want)
		}
	}
}

// Every cell may regress. Only a deciding one ends the comparison.
func TestARegressionEndsAComparison(t *testing.T) {
	for cell, done := range map[string]bool{"steady server_cpu_us_per_stream": true, "steady ttft_p95_ms": false} {
		p := noisyIn(4, "stress-100 rate_per_s", "stress-200 rate_per_s")
		for i := range p.Rounds {
			at := p.Rounds[i].Cells[cell]
			p.Rounds[i].Cells[cell] = At{at[0], 1.5 * at[1]}
		}
		if a := Judge(p); a.Verdict != Regressed || a.Done != done {
			t.Errorf("%s: %s, done %t; want regressed, done %t", cell, a.Verdict, a.Done, done)
		}
	}
}

// A deciding cell that no round has is not measured, and another such cell is not there.
func TestADecidingCellWithoutFigures(t *testing.T) {
	for _, c := range []struct {
		cells []string
		name  string
		want  Verdict
	}{
		{[]string{"stress-200 rate_per_s"}, "stress rate_per_s", NotMeasured}, // one level is enough
		{[]string{"baseline ttft_p95_ms"}, "baseline ttft_p95_ms", NotMeasured},
		{[]string{"baseline itl_p99_ms"}, "", Unchanged},
	} {
		p := comparisonOf(12, 0.002, nil)
		for i := range p.Rounds {
			for _, name := range c.cells {
				delete(p.Rounds[i].Cells, name)
			}
		}
		a := Judge(p)
		if a.Verdict != c.want || c.name != "" && cellOf(a, c.name).Verdict != NotMeasured {
			t.Errorf("without %q: %s %+v; want %s", c.cells, a.Verdict, cellOf(a, c.name), c.want)
		}
	}
}

func TestLevelsAreOneCell(t *testing.T) {
	throughput := workload.Criterion{Scenario: "stress", Levels: []string{"100", "200"}, Metric: "rate_per_s"}
	r := Round{Cells: map[string]At{"stress-100 rate_per_s": {100, 90}, "stress-200 rate_per_s": {400, 400}}}
	at, known := r.Figures(throughput)
	if want := math.Sqrt(0.9); !known || !near(at[0], 200, 1e-9) || !near(at[1]/at[0], want, 1e-9) {
		t.Errorf("%v, %t; want 200 and a ratio of %g", at, known, want)
	}
	delete(r.Cells, "stress-100 rate_per_s")
	if at, known := r.Figures(throughput); known {
		t.Errorf("%v of one level", at)
	}
}

// Records say how many servers share the rate, so that a replay judges as the comparison did.
func TestASharedRateIsReadFromRecords(t *testing.T) {
	for servers, want := range map[int]float64{0: Alpha, 1: Alpha, 8: Alpha / 8} {
		records := comparisonRecords(func(r *record.Record) { r.Run.SharedBy = servers })
		if a := Compare(records)[0]; a.Alpha != want {
			t.Errorf("%d servers: rate %g, want %g", servers, a.Alpha, want)
		}
	}
}
