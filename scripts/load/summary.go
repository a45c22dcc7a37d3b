package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"fairstream/k6/sse/hist"
)

// A Summary is what k6 measured in one scenario. Times count only streams that
// were whole; each is nil when there was none.
type Summary struct {
	Seconds   float64  // from the start of the load to the end of its last stream
	Streams   int64    // that were whole
	Failed    int64    // that were not, or were interrupted
	Broken    []string // what was wrong with those, with how often
	VUs       int      // at most; 0 when the load was too short to tell
	Stream    *Times   // from the request's first byte to the answer's last
	TTFT      *Times   // to the first token
	Gap       *Times   // between tokens
	Transit   *Times   // from the stub's sending of a token to its arrival
	Iteration float64  // mean time of an iteration in ms, k6's own work included
}

// Times is a distribution of durations, in ms. Mean and Max are exact,
// percentiles within 0.1 %.
type Times struct {
	Mean, P50, P95, P99, Max float64
}

// ParseSummary reads the file that handleSummary of lib/stream.js writes.
func ParseSummary(data []byte) (Summary, error) {
	var file struct {
		DurationMS      float64  `json:"duration_ms"`
		VUsMax          *float64 `json:"vus_max"` // null: the load was too short
		IterationMeanMS *float64 `json:"iteration_mean_ms"`
		hist.Report
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		return Summary{}, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return Summary{}, errors.New("text after the JSON")
	}
	switch {
	case file.DurationMS <= 0:
		return Summary{}, errors.New("duration_ms is missing or 0; want the duration of the load")
	case file.Layout != hist.Layout:
		return Summary{}, fmt.Errorf("layout is %q; want %s", file.Layout, hist.Layout)
	case len(file.Series) > 1:
		return Summary{}, fmt.Errorf("%d series; want one, of all streams", len(file.Series))
	}
	s := Summary{Seconds: file.DurationMS / 1000}
	if file.VUsMax != nil {
		s.VUs = int(*file.VUsMax)
	}
	if len(file.Series) == 0 {
		return s, nil
	}
	if file.IterationMeanMS == nil {
		return Summary{}, errors.New("iteration_mean_ms is null, though there were streams")
	}
	s.Iteration = *file.IterationMeanMS
	all := file.Series[0]
	if all.OK < 0 || uint64(all.OK) != all.Stream.Count {
		return Summary{}, fmt.Errorf("%d streams were whole, and %d have a time", all.OK, all.Stream.Count)
	}
	s.Streams = all.OK
	for _, kind := range slices.Sorted(maps.Keys(all.Failed)) {
		s.Failed += all.Failed[kind]
		s.Broken = append(s.Broken, fmt.Sprintf("%d times %q", all.Failed[kind], kind))
	}
	if lost := all.Begun - s.Streams - s.Failed; lost > 0 {
		s.Failed += lost
		s.Broken = append(s.Broken, fmt.Sprintf("%d times no end", lost))
	}
	s.Stream, s.TTFT, s.Gap = times(all.Stream), times(all.TTFT), times(all.Gap)
	if all.NegativeTransit == 0 {
		s.Transit = times(all.Transit)
	}
	return s, nil
}

// times are of counts in microseconds; nil when there are none.
func times(c hist.Counts) *Times {
	if c.Count == 0 {
		return nil
	}
	return &Times{
		Mean: c.MeanUS() / 1000, P50: c.QuantileUS(0.5) / 1000, P95: c.QuantileUS(0.95) / 1000,
		P99: c.QuantileUS(0.99) / 1000, Max: float64(c.MaxUS) / 1000,
	}
}
