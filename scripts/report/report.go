// Package report turns records into tables for people. It is pure: records
// in, text out. It shows; it does not judge.
package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fairstream/scripts/record"
)

// A table is one scenario of one run.
type table struct {
	title  string
	header []string
	rows   [][]string
	notes  []string
}

// columns are the metrics that a table shows, with the number of decimals.
var columns = []struct {
	metric   string
	decimals int
	scale    float64
}{
	{"rate_per_s", 1, 1}, {"stream_mean_ms", 1, 1}, {"stream_p50_ms", 1, 1}, {"stream_p95_ms", 1, 1},
	{"stream_p99_ms", 1, 1}, {"stream_max_ms", 1, 1}, {"ttft_p95_ms", 2, 1}, {"gap_p99_ms", 2, 1}, {"transit_p50_ms", 2, 1},
	{"server_cpu_mean_pct", 1, 1},
	{"server_cpu_us_per_stream", 0, 1}, {"server_rss_peak_bytes", 1, 1e-6}, {"failed_pct", 2, 1},
	{"k6_cpu_mean_pct", 0, 1}, {"stub_cpu_mean_pct", 0, 1},
}

// unknown is what stands for a value that is not known.
const unknown = "?"

// tables groups records by scenario, a row per server, and shows the median of
// the rounds.
func tables(records []record.Record) []table {
	var all []table
	for _, scenario := range distinct(records, func(r record.Record) string { return r.Scenario }) {
		t := table{title: scenario, header: []string{"server"}}
		for _, c := range columns {
			m, _ := record.Find(c.metric)
			t.header = append(t.header, m.Label)
		}
		deltas := scenario == "stress" && slices.ContainsFunc(records, func(r record.Record) bool { return r.Scenario == "baseline" })
		if deltas {
			t.header = append(t.header, "req/s vs baseline")
		}
		for _, server := range distinct(records, record.Record.Target) {
			of := pick(records, server, scenario)
			row := []string{server}
			for _, c := range columns {
				row = append(row, format(median(of, c.metric), c.scale, c.decimals))
			}
			if deltas {
				row = append(row, delta(median(of, "rate_per_s"), median(pick(records, server, "baseline"), "rate_per_s")))
			}
			t.rows = append(t.rows, row)
			t.notes = append(t.notes, notes(of)...)
		}
		all = append(all, t)
	}
	return all
}

// notes says of each record that is not ok why it is not.
func notes(records []record.Record) []string {
	var lines []string
	for _, r := range records {
		for _, why := range r.Why {
			round := ""
			if r.Run.Rounds > 1 {
				round = fmt.Sprintf(" round %d", r.Round)
			}
			lines = append(lines, fmt.Sprintf("%s%s: %s: %s", r.Target(), round, r.Status, why))
		}
	}
	return lines
}

func pick(records []record.Record, server, scenario string) []record.Record {
	var of []record.Record
	for _, r := range records {
		if r.Target() == server && r.Scenario == scenario {
			of = append(of, r)
		}
	}
	return of
}

// median is over the rounds in which the metric is known; nil when it is in none.
func median(records []record.Record, metric string) *float64 {
	values := record.Known(records, metric)
	if len(values) == 0 {
		return nil
	}
	mid := record.Median(values)
	return &mid
}

func format(v *float64, scale float64, decimals int) string {
	if v == nil {
		return unknown
	}
	return fmt.Sprintf("%.*f", decimals, *v*scale)
}

// delta is a throughput as a multiple of another: the step from baseline to
// stress is too wide for a percentage.
func delta(now, before *float64) string {
	if now == nil || before == nil || *before == 0 {
		return unknown
	}
	return fmt.Sprintf("x%.1f", *now / *before)
}

// distinct lists the keys of records, sorted.
func distinct(records []record.Record, key func(record.Record) string) []string {
	var keys []string
	for _, r := range records {
		if !slices.Contains(keys, key(r)) {
			keys = append(keys, key(r))
		}
	}
	slices.Sort(keys)
	return keys
}

// provenance says where the numbers come from, in one or two sentences.
func provenance(records []record.Record) string {
	r := records[0]
	or := func(s *string) string {
		if s == nil {
			return "unknown"
		}
		return *s
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Run %s on %s, %d cores", r.Run.ID, or(r.Host.CPU), r.Host.Cores)
	if r.Host.MemoryBytes != nil {
		fmt.Fprintf(&b, ", %.0f GiB", float64(*r.Host.MemoryBytes)/(1<<30))
	}
	fmt.Fprintf(&b, ", %s, kernel %s. k6 %s, sysstat %s", or(r.Host.OS), or(r.Host.Kernel), r.Tools["k6"], r.Tools["sysstat"])
	for _, server := range distinct(records, record.Record.Target) {
		fmt.Fprintf(&b, "; %s:", server)
		for _, r := range records {
			if r.Target() != server {
				continue
			}
			if len(r.Server.Versions) == 0 {
				b.WriteString(" versions unknown")
			}
			for _, component := range slices.Sorted(maps.Keys(r.Server.Versions)) {
				fmt.Fprintf(&b, " %s %s", component, r.Server.Versions[component])
			}
			break
		}
	}
	b.WriteString(".")
	if r.Run.Rounds > 1 {
		fmt.Fprintf(&b, " Medians of %d rounds.", r.Run.Rounds)
	}
	if r.Run.Quick {
		b.WriteString(" Scenarios were shortened (-quick): good to see that all works, not to compare.")
	}
	return b.String()
}
