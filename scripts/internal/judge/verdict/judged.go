package verdict

import (
	"slices"

	"fairstream/scripts/internal/judge/record"
)

// A Judged metric is one with verdicts.
type Judged struct {
	Metric string
	// Floor is the smallest change that is reported, however sure. Margin is the change that a
	// cell must exclude to count as unchanged. Both are shares of base; those of an Absolute
	// metric are in its unit.
	Floor, Margin float64
	Absolute      bool // the change is a difference: base may be 0, or below
}

// The judged metrics. Under paced load throughput is the stub's pace and says nothing about a
// server. Under stress the processes compete for the cores, so the cost of a stream and TTFT say more
// about that competition than about the server. A comment gives the reason of each floor.
var (
	paced = []Judged{
		{"server_cpu_us_per_stream", 0.015, 0.03, false},    // the same code laid out in another order may cost so much more or less
		{"ttft_p95_ms", 0.05, 0.10, false},                  // its sd from start to start is half of it (prove); and less than a twentieth of a delay nobody notices
		{"itl_p99_ms", 0.01, 0.02, false},                   // the pace is nearly all of it: a hundredth of an ITL of 50 ms is half a millisecond late
		{"server_rss_peak_bytes", 0.015, 0.05, false},       // a collector that runs a moment earlier holds so much less
		{"server_rss_slope_bytes_per_stream", 16, 64, true}, // 16 bytes of each stream are a gigabyte in 67 million
	}
	inSlices = []Judged{
		{"rate_per_s", 0.015, 0.03, false},            // as the cost of a stream
		{"stream_p95_ms", 0.03, 0.10, false},          // VUs over rate, and the tail: twice the floor of the rate
		{"server_rss_peak_bytes", 0.015, 0.05, false}, // as where load is paced
	}
)

// Metrics are the judged metrics of a scenario.
func Metrics(scenario string) []Judged {
	if _, level := record.Level(scenario); level != "" {
		return inSlices
	}
	return paced
}

// Absolute reports whether changes of a metric are differences.
func Absolute(metric string) bool {
	return slices.ContainsFunc(slices.Concat(paced, inSlices), func(j Judged) bool { return j.Metric == metric && j.Absolute })
}
