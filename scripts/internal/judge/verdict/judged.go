package verdict

import (
	"slices"

	"fairstream/scripts/internal/judge/record"
)

// A Judged metric is one that verdicts are about.
type Judged struct {
	Metric string
	// Floor is the least change that is called one, however sure; Margin that
	// which a cell is to exclude before it counts as unchanged. Both are shares
	// of base, or, where Absolute, in the metric's unit.
	Floor, Margin float64
	Absolute      bool // the change is a difference: base may be 0, or below
}

// What is judged where. Where load is paced, throughput is the stub's pace and
// says nothing of a server; on a level of stress the cores are fought for, and
// what a stream costs, or when its first token comes, says more of the fight
// than of the server. Behind each stands why its floor is what it is.
var (
	paced = []Judged{
		{"server_cpu_us_per_stream", 0.015, 0.03, false},    // the same code laid out in another order may cost so much more or less
		{"ttft_p95_ms", 0.05, 0.10, false},                  // its sd from start to start is half of it (prove); and less than a twentieth of a delay nobody notices
		{"itl_p99_ms", 0.01, 0.02, false},                   // the pace is nearly all of it: a hundredth of a itl of 50 ms is half a millisecond late
		{"server_rss_peak_bytes", 0.015, 0.05, false},       // a collector that runs a moment earlier holds so much less
		{"server_rss_slope_bytes_per_stream", 16, 64, true}, // 16 bytes of each stream are a gigabyte in 67 million
	}
	inSlices = []Judged{
		{"rate_per_s", 0.015, 0.03, false},            // as the cost of a stream
		{"stream_p95_ms", 0.03, 0.10, false},          // VUs over rate, and the tail: twice the floor of the rate
		{"server_rss_peak_bytes", 0.015, 0.05, false}, // as where load is paced
	}
)

// Metrics are those that are judged of a scenario.
func Metrics(scenario string) []Judged {
	if _, level := record.Level(scenario); level != "" {
		return inSlices
	}
	return paced
}

// Absolute says whether changes of a metric are differences.
func Absolute(metric string) bool {
	return slices.ContainsFunc(slices.Concat(paced, inSlices), func(j Judged) bool { return j.Metric == metric && j.Absolute })
}
