package report

import (
	"slices"
	"strconv"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// A column is a metric in a table: how many decimals, by what it is multiplied,
// and whether its spread has room beside it in text.
type column struct {
	metric   string
	decimals int
	scale    float64
	spread   bool
}

func (c column) text(v float64) string {
	return strconv.FormatFloat(v*c.scale, 'f', c.decimals, 64)
}

// means is what record.Table says of the column.
func (c column) means() record.Metric {
	m, _ := record.Find(c.metric)
	return m
}

var (
	cost = column{"server_cpu_us_per_stream", 0, 1, true}
	rate = column{"rate_per_s", 0, 1, true}
	slow = column{"rate_per_s", 1, 1, false} // where load is paced
	peak = column{"server_rss_peak_bytes", 1, 1e-6, false}
	lost = column{"failed_pct", 2, 1, false}
)

// Where load is paced the rate is what the scenario asks for, and what a stream
// costs and waits is the answer.
var pacedColumns = []column{
	cost,
	{"server_cpu_over_ruler", 2, 1, false},
	{"ttft_p95_ms", 2, 1, false},
	{"ttft_p95_added_ms", 2, 1, false},
	{"gap_p99_added_ms", 2, 1, false},
	{"transit_p50_ms", 2, 1, false},
	{"transit_p50_added_ms", 2, 1, false},
	peak,
	slow,
	{"stream_mean_ms", 1, 1, false},
	{"stream_p95_ms", 1, 1, false},
	lost,
}

// Under stress the machine is full, and the rate is the answer.
var stressColumns = []column{
	rate,
	{"rate_over_direct", 2, 1, false},
	{"stream_mean_ms", 1, 1, false},
	{"stream_p50_ms", 1, 1, false},
	{"stream_p95_ms", 1, 1, false},
	{"stream_p99_ms", 1, 1, false},
	{"stream_max_ms", 1, 1, false},
	cost,
	{"server_share_pct", 0, 1, false},
	peak,
	lost,
}

// plateau is the number of VUs of a stress scenario; ok is false where load is
// paced.
func plateau(scenario string) (vus int, ok bool) {
	_, on := record.Plateau(scenario)
	vus, _ = strconv.Atoi(on) // 0 where it has no number of VUs
	return vus, on != ""
}

func columnsOf(scenario string) []column {
	if _, stress := plateau(scenario); stress {
		return stressColumns
	}
	if scenario == "soak" {
		return append(slices.Clone(pacedColumns), column{"server_rss_slope_bytes_per_stream", 1, 1, false})
	}
	return pacedColumns
}

// fullest is the stress scenario with most VUs, "" when there is none: only a
// machine that is full ranks throughput, below that the stub's pace does.
func fullest(records []record.Record) (scenario string) {
	most := -1
	for _, r := range records {
		if vus, stress := plateau(r.Scenario); stress && vus > most {
			most, scenario = vus, r.Scenario
		}
	}
	return scenario
}

// costly is the scenario in which cost is ranked: steady, or what of the paced
// ones there is; "" when there is none.
func costly(records []record.Record) string {
	for _, scenario := range []string{"steady", "soak", "baseline"} {
		if len(ofScenario(records, scenario)) > 0 {
			return scenario
		}
	}
	return ""
}

// scenarios are those of records, in their order.
func scenarios(records []record.Record) []string {
	seen := map[string]bool{}
	var all []string
	for _, r := range records { // as the run had them
		if !seen[r.Scenario] {
			seen[r.Scenario] = true
			all = append(all, r.Scenario)
		}
	}
	return all
}

// servers are the targets but direct, sorted; direct is the ruler's own.
func servers(records []record.Record) []string {
	return distinct(only(records, isServer), record.Record.Target)
}

func isServer(r record.Record) bool { return r.Server.Name != raw.Direct }
