package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/record"
)

// pair makes records of one server and scenario in which one metric has the
// given values, round by round, and all others are 100.
func pair(metric string, base, head []float64) []record.Record {
	return pairIn("stress-100", metric, base, head)
}

func pairIn(scenario, metric string, base, head []float64) []record.Record {
	var records []record.Record
	for side, values := range map[string][]float64{"base": base, "head": head} {
		for i, v := range values {
			r := record.Record{Scenario: scenario, Round: i + 1, Status: record.OK, Metrics: record.Metrics{}}
			r.Server.Name, r.Server.Side = "go-http", side
			for _, name := range Metrics(scenario) {
				value := 100 + float64(i)/10
				if name == metric {
					value = v
				}
				r.Metrics[name] = &value
			}
			records = append(records, r)
		}
	}
	return records
}

func verdict(cells []Cell, metric string) Cell {
	for _, c := range cells {
		if c.Metric.Name == metric {
			return c
		}
	}
	return Cell{}
}

func TestVerdicts(t *testing.T) {
	base := []float64{100, 101, 102, 103, 104}
	times := func(by float64) (head []float64) {
		for _, v := range base {
			head = append(head, v*by)
		}
		return head
	}
	for _, c := range []struct {
		name, metric string
		head         []float64
		want         Verdict
	}{
		{"slower", "stream_p95_ms", times(1.5), Regressed},
		{"faster", "stream_p95_ms", times(0.5), Improved},
		{"less throughput", "rate_per_s", times(0.5), Regressed},
		{"more throughput", "rate_per_s", times(1.5), Improved},
		{"more memory", "server_rss_peak_bytes", times(1.2), Regressed},
		{"equal", "stream_p95_ms", base, Inconclusive},
		{"apart, by less than the floor", "stream_p95_ms", times(1.045), Inconclusive},
		{"one outlier", "stream_p95_ms", []float64{100, 101, 102, 103, 900}, Inconclusive},
		{"too few rounds", "stream_p95_ms", []float64{200, 201, 202, 203}, Inconclusive},
		{"no rounds", "stream_p95_ms", nil, NotMeasured},
	} {
		b := base
		if len(c.head) < len(base) && len(c.head) > 0 {
			b = base[:len(c.head)]
		}
		cells := Compare(pair(c.metric, b, c.head))
		got := verdict(cells, c.metric)
		if c.head == nil {
			got = cells[0]
		}
		if got.Verdict != c.want {
			t.Errorf("%s: %s, want %s (%+v)", c.name, got.Verdict, c.want, got)
		}
		if (c.want == Regressed || c.want == Improved) && (cells[0].Metric.Name != c.metric || len(cells) != 3) {
			t.Errorf("%s: first cell is %s of %d; want %s of 3", c.name, cells[0].Metric.Name, len(cells), c.metric)
		}
	}
}

// What is judged depends on how the scenario loads; direct is not judged.
func TestCellsOfEachKindOfScenario(t *testing.T) {
	five, dear := []float64{100, 101, 102, 103, 104}, []float64{120, 121, 122, 123, 124}
	records := pairIn("steady", "server_cpu_us_per_stream", five, dear)
	for _, scenario := range []string{"stress-200", "stress-50", "stress-100", "baseline"} {
		records = append(records, pairIn(scenario, "", five, five)...)
	}
	for _, r := range pairIn("steady", "gap_p99_ms", five, dear) {
		r.Server.Name, r.Server.Side = "direct", ""
		records = append(records, r)
	}
	var got []string
	for _, c := range Compare(records) {
		got = append(got, fmt.Sprint(c.Scenario, " ", c.Metric.Name, " ", c.Verdict))
	}
	want := []string{"steady server_cpu_us_per_stream regressed"}
	for _, scenario := range []string{"baseline", "steady", "stress-50", "stress-100", "stress-200"} {
		metrics := []string{"rate_per_s", "stream_p95_ms", "server_rss_peak_bytes"}
		if scenario == "baseline" || scenario == "steady" {
			metrics = []string{"server_cpu_us_per_stream", "ttft_p95_ms", "gap_p99_ms", "server_rss_peak_bytes"}
		}
		for _, m := range metrics {
			if cell := scenario + " " + m; !strings.HasPrefix(want[0], cell) {
				want = append(want, cell+" inconclusive")
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("cells\n%q, want\n%q", got, want)
	}
}

func TestFiguresOfACell(t *testing.T) {
	c := verdict(Compare(pair("stream_p95_ms", []float64{10, 12, 11, 13, 50}, []float64{24, 23, 100, 22, 60})), "stream_p95_ms")
	// 50 of base is above three of head, so U = 3: 7 of the 252 orders have 3 or less, p = 14/252.
	if c.Base != 12 || c.Head != 24 || c.Change != 1 || c.Rounds != [2]int{5, 5} || math.Abs(c.P-14.0/252) > 1e-9 {
		t.Errorf("%+v; want medians 12 and 24, p 0.056", c)
	}
}

// MinRounds is where the test begins to be able to say anything.
func TestMinRounds(t *testing.T) {
	base, head := []float64{1, 2, 3, 4, 5, 6}, []float64{10, 20, 30, 40, 50, 60}
	for n := 1; n <= len(base); n++ {
		got := verdict(Compare(pair("stream_p95_ms", base[:n], head[:n])), "stream_p95_ms").Verdict
		if (got == Regressed) != (n >= MinRounds) {
			t.Errorf("%d rounds that could not be further apart: %s; MinRounds is %d", n, got, MinRounds)
		}
	}
}

func TestASideThatFails(t *testing.T) {
	fail := func(side string, rounds int, fault func(*record.Record)) []record.Record {
		records := pair("", []float64{1, 2, 3, 4, 5}, []float64{1, 2, 3, 4, 5})
		for i := range records {
			if strings.Contains(side, records[i].Server.Side) && records[i].Round <= rounds {
				records[i].Why = []string{"C4: buffers"}
				fault(&records[i])
			}
		}
		return records
	}
	for _, c := range []struct {
		side   string
		rounds int
		want   Verdict
	}{{"head", 2, Regressed}, {"head", 5, Regressed}, {"head", 1, NotMeasured}, {"base", 1, NotMeasured}, {"base", 5, NotMeasured}, {"base head", 2, NotMeasured}} {
		for name, fault := range map[string]func(*record.Record){
			"invalid": func(r *record.Record) { r.Status = record.Invalid },
			"suspect": func(r *record.Record) { // faster, for what it delivers
				share, fast := 40.0, 1.0
				r.Status, r.Metrics["failed_pct"], r.Metrics["stream_p95_ms"] = record.Suspect, &share, &fast
			},
		} {
			cells := Compare(fail(c.side, c.rounds, fault))
			if len(cells) != 1 || cells[0].Verdict != c.want || !strings.Contains(cells[0].Why, "C4: buffers") || !strings.Contains(cells[0].Why, fmt.Sprintf("%d of 5 rounds", c.rounds)) {
				t.Errorf("%s %s in %d rounds: %+v; want one cell, %s, and why", c.side, name, c.rounds, cells, c.want)
			}
		}
	}
	if cells := Compare(nil); cells != nil {
		t.Errorf("no records: %+v", cells)
	}
}
