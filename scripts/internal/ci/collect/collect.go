// Package collect turns the accepted records of main into chart points and a
// summary for people. It is pure: what to accept is package artifact's, where
// to keep it package history's.
package collect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// series are what is charted of a leg. Each is beside direct or the ruler in
// the same seconds, or memory, because the speed of a shared machine moves
// more between two commits than most changes do. What is added to the first
// token is a difference: a ratio would hide it behind the time of direct.
var series = []struct {
	scenario, metric, label, unit string
	scale                         float64
	bigger                        bool
}{
	{"stress-100", overDirect, "over direct", "ratio", 1, true},
	{"stress-200", overDirect, "over direct", "ratio", 1, true},
	{"baseline", "ttft_p95_added_ms", "added TTFT p95", record.MSAdded, 1, false},
	{"steady", "server_cpu_over_ruler", "CPU over ruler", "ratio", 1, false},
	{"stress-200", "server_rss_peak_bytes", "peak RSS", "MB", 1e-6, false},
}

const overDirect = "rate_over_direct"

// Points are a run's chart points: those where bigger is better, and those
// where smaller is. A value is the median over the rounds in which it is known
// and no stream failed; one that is not known has no point. The records are
// those of legs: what was loaded together with others is no trend.
func Points(records []record.Record) (bigger, smaller []history.Bench) {
	for _, server := range servers(records) {
		for _, s := range series {
			of := pick(records, server, s.scenario)
			values := known(whole(of), s.metric, s.scale)
			if len(values) == 0 {
				continue
			}
			name := fmt.Sprintf("%s %s %s, epoch %s", server, s.scenario, s.label, record.Epoch(of[0]))
			point := history.Bench{Name: name, Unit: s.unit, Value: round(record.Median(values))}
			if of[0].Run.Quick {
				point.Name += " (quick)"
			}
			if len(values) > 1 {
				point.Range = short(values[0]) + " to " + short(values[len(values)-1])
			}
			point.Extra = doubts(of, len(values))
			if s.bigger {
				bigger = append(bigger, point)
			} else {
				smaller = append(smaller, point)
			}
		}
	}
	return bigger, smaller
}

// servers are those that records are of, but direct, in their order.
func servers(records []record.Record) (names []string) {
	for _, r := range records {
		if name := r.Server.Name; name != raw.Direct && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func pick(records []record.Record, server, scenario string) (of []record.Record) {
	for _, r := range records {
		if r.Server.Name == server && r.Scenario == scenario {
			of = append(of, r)
		}
	}
	return of
}

// whole are the records whose streams all passed: what a server did not deliver
// was free, and makes it look fast.
func whole(records []record.Record) []record.Record {
	return slices.DeleteFunc(slices.Clone(records), func(r record.Record) bool {
		failed, known := r.Metrics.Get("failed_pct")
		return !known || failed > 0
	})
}

// doubts says how a median is less than it seems; "" when it is not.
func doubts(records []record.Record, used int) string {
	var parts []string
	if used < len(records) {
		parts = append(parts, fmt.Sprintf("%d of %d rounds", used, len(records)))
	}
	if n := count(whole(records), record.Suspect); n > 0 {
		parts = append(parts, fmt.Sprintf("%d suspect", n))
	}
	return strings.Join(parts, ", ")
}

// known are a metric's known values in ascending order.
func known(records []record.Record, metric string, scale float64) []float64 {
	values := record.Known(records, metric)
	for i, v := range values {
		values[i] = round(v * scale)
	}
	return values
}

// round keeps five digits: less than 0.01 % off, and short in a file of
// thousands of points.
func round(v float64) float64 { return record.Short(v, 5) }

func short(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func count(records []record.Record, status record.Status) (n int) {
	for _, r := range records {
		if r.Status == status {
			n++
		}
	}
	return n
}
