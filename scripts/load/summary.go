package load

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A Summary is what k6 measured in one scenario. Latency counts only streams
// that passed every check, from the first byte of the request to the last of
// the answer; it is nil when there was none.
type Summary struct {
	Seconds   float64  // from the start of the load to the end of its last stream
	Streams   int64    // that passed every check
	Failed    int64    // that did not, or were interrupted
	Broken    []string // the checks that failed, with how often
	VUs       int      // at most; 0 when the load was too short to tell
	Latency   *Latency
	Iteration float64 // mean time of an iteration in ms, k6's own work included
}

// Latency is the distribution of a stream's duration, in ms.
type Latency struct {
	Mean, P50, P95, P99, Max float64
}

// ParseSummary reads the file that handleSummary of lib/stream.js writes: k6's
// summary data as it is (end-of-test summary, k6 v1).
func ParseSummary(data []byte) (Summary, error) {
	var file struct {
		State struct {
			TestRunDurationMS float64 `json:"testRunDurationMs"`
		}
		Metrics   map[string]struct{ Values map[string]float64 }
		RootGroup struct {
			Checks []struct {
				Name  string
				Fails int64
			}
		} `json:"root_group"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return Summary{}, err
	}
	if file.State.TestRunDurationMS <= 0 {
		return Summary{}, errors.New("state.testRunDurationMs is missing or 0; want the duration of the load")
	}
	var missing error
	value := func(metric, key string) float64 {
		v, ok := file.Metrics[metric].Values[key]
		if !ok && missing == nil {
			missing = fmt.Errorf("metrics.%s.values.%s is missing", metric, key)
		}
		return v
	}
	s := Summary{
		Seconds:   file.State.TestRunDurationMS / 1000,
		Failed:    int64(value("stream_failed", "passes")), // the rate of "failed": a pass is a failure
		Streams:   int64(value("stream_failed", "fails")),
		VUs:       int(file.Metrics["vus_max"].Values["max"]), // k6 samples it once a second
		Iteration: value("iteration_duration", "avg"),
	}
	s.Failed = max(s.Failed, int64(value("stream_begun", "count"))-s.Streams)
	for _, c := range file.RootGroup.Checks {
		if c.Fails > 0 {
			s.Broken = append(s.Broken, fmt.Sprintf("%q failed %d times", c.Name, c.Fails))
		}
	}
	if s.Streams > 0 {
		s.Latency = &Latency{
			Mean: value("stream_ms", "avg"), P50: value("stream_ms", "med"), P95: value("stream_ms", "p(95)"),
			P99: value("stream_ms", "p(99)"), Max: value("stream_ms", "max"),
		}
	}
	return s, missing
}
