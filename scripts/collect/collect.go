// Package collect turns the accepted records of main into chart points and a
// summary for people. It is pure: what to accept is package artifact's, where
// to keep it package history's.
package collect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/history"
	"fairstream/scripts/record"
)

// series are the metrics that are charted, by suite.
var series = []struct {
	metric, label, unit string
	scale               float64
	bigger              bool
}{
	{"rate_per_s", "req/s", "req/s", 1, true},
	{"stream_p95_ms", "p95 ms", "ms", 1, false},
	{"server_rss_peak_bytes", "peak RSS MB", "MB", 1e-6, false},
}

// Points are a run's chart points: those where bigger is better, and those
// where smaller is. A value is the median over the rounds in which it is known
// and no stream failed; one that is not known has no point.
func Points(records []record.Record) (bigger, smaller []history.Bench) {
	type cell struct{ server, scenario string }
	var cells []cell
	of := map[cell][]record.Record{}
	for _, r := range records {
		c := cell{r.Server.Name, r.Scenario}
		if of[c] == nil {
			cells = append(cells, c)
		}
		of[c] = append(of[c], r)
	}
	for _, c := range cells {
		for _, s := range series {
			values := known(whole(of[c]), s.metric, s.scale)
			if len(values) == 0 {
				continue
			}
			point := history.Bench{Name: c.server + " " + c.scenario + " " + s.label, Unit: s.unit, Value: round(record.Median(values))}
			if of[c][0].Run.Quick {
				point.Name += " (quick)"
			}
			if len(values) > 1 {
				point.Range = short(values[0]) + " to " + short(values[len(values)-1])
			}
			point.Extra = doubts(of[c], len(values))
			if s.bigger {
				bigger = append(bigger, point)
			} else {
				smaller = append(smaller, point)
			}
		}
	}
	return bigger, smaller
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
func round(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
	return v
}

func short(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func count(records []record.Record, status record.Status) (n int) {
	for _, r := range records {
		if r.Status == status {
			n++
		}
	}
	return n
}
