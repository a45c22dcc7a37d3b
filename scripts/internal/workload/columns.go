package workload

import "strconv"

// A Column is a metric in a table. Package record has its label, unit and direction.
type Column struct {
	Metric   string
	Decimals int
	Scale    float64 // factor of the shown value
	Spread   bool    // a text table has room for its spread
}

// Text is a value as the column shows it.
func (c Column) Text(v float64) string {
	return strconv.FormatFloat(v*c.Scale, 'f', c.Decimals, 64)
}

// Columns that several workloads show.
var (
	ratePerS = Column{"rate_per_s", 0, 1, true}
	cpuPct   = Column{"server_cpu_mean_pct", 1, 1, false}
	// PeakRSS ranks servers by memory.
	PeakRSS   = Column{"server_rss_peak_bytes", 1, 1e-6, false}
	failedPct = Column{"failed_pct", 2, 1, false}
	// Deployed and FirstAnswer are what a deployment and a start take.
	Deployed    = Column{"deployed_bytes", 1, 1e-6, false}
	FirstAnswer = Column{"first_answer_ms", 1, 1, false}

	requestCost = Column{"server_cpu_us_per_request", 1, 1, true}
	byteCost    = Column{"server_cpu_us_per_mb", 0, 1, true}
	requestRSS  = Column{"server_rss_slope_bytes_per_request", 1, 1, false}
)

// requestPaced are the columns of requests at a fixed arrival rate, after the cost of the workload. The results
// are cost and latency, since the rate is the same for all.
func requestPaced(cost ...Column) []Column {
	return append(cost,
		cpuPct,
		Column{"server_cpu_x_rig", 2, 1, false},
		Column{"request_p50_ms", 3, 1, false},
		Column{"request_p95_ms", 3, 1, false},
		Column{"request_p99_ms", 2, 1, false},
		Column{"request_p95_overhead_ms", 3, 1, false},
		Column{"ttfb_p95_ms", 3, 1, false},
		PeakRSS,
		Column{"rate_per_s", 1, 1, false},
		Column{"unsent_pct", 2, 1, false},
		failedPct,
		Deployed,
		FirstAnswer,
	)
}

// requestSaturated are the columns of requests that fill the machine, after the rates of the workload.
func requestSaturated(rates ...Column) []Column {
	return append(rates,
		Column{"rate_x_direct", 2, 1, false},
		Column{"request_mean_ms", 2, 1, false},
		Column{"request_p50_ms", 2, 1, false},
		Column{"request_p95_ms", 2, 1, false},
		Column{"request_p99_ms", 2, 1, false},
		Column{"request_max_ms", 1, 1, false},
		requestCost,
		cpuPct,
		Column{"server_share_pct", 0, 1, false},
		PeakRSS,
		failedPct,
		Deployed,
		FirstAnswer,
	)
}

// requestLeaderboard are the metrics of a leaderboard of requests.
var requestLeaderboard = []string{
	"rate_per_s", "rate_x_direct", "request_mean_ms", "request_p50_ms", "request_p95_ms", "request_p99_ms", "request_max_ms",
	"request_p95_overhead_ms", "ttfb_p50_ms", "ttfb_p95_ms", "ttfb_p95_overhead_ms", "body_mb_per_s", "unsent_pct",
	"server_cpu_mean_pct", "server_cpu_us_per_request", "server_cpu_us_per_mb", "server_cpu_x_rig", "server_rss_peak_bytes", "server_rss_mean_bytes",
	"failed_pct", "server_share_pct", "deployed_bytes", "first_answer_ms",
}
