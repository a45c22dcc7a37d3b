package hist

// Requests is the result of plain.histograms(). README.md of k6 explains each field.
type Requests struct {
	Layout string          `json:"layout"`
	Series []RequestSeries `json:"series"`
	Named  []NamedSeries   `json:"named,omitempty"` // requests with names; those of older files have none
}

// A NamedSeries holds the requests of one name to one target on one level, over all its slices, with discarded ones. Times
// are as in a RequestSeries.
type NamedSeries struct {
	Target  string           `json:"target"`
	Level   string           `json:"level"`
	Name    string           `json:"name"`
	Started int64            `json:"started"`
	OK      int64            `json:"ok"`
	Failed  map[string]int64 `json:"failed"` // count by kind
	Request Counts           `json:"request_us"`
}

// A RequestSeries holds all requests of one target, level and slice. Times cover correct answers
// only, except Connect and Late. With a rate they begin at the intended start.
type RequestSeries struct {
	Target  string            `json:"target"`
	Level   string            `json:"level"`
	Slice   string            `json:"slice"`
	Started int64             `json:"started"`
	OK      int64             `json:"ok"`
	Failed  map[string]int64  `json:"failed"`                   // count by kind
	Reasons map[string]string `json:"reasons,omitempty"`        // text of the first failure of each kind
	Retried int64             `json:"retried,omitempty"`        // sent twice, since the server had closed an idle connection
	Bytes   int64             `json:"body_bytes"`               // of correct answers
	Counted int64             `json:"counted_events,omitempty"` // of streams: events of the name to count, in failed requests too
	Request Counts            `json:"request_us"`               // to the last byte
	TTFB    Counts            `json:"ttfb_us"`                  // to the complete header
	Late    Counts            `json:"late_us"`                  // from the intended start to the first byte of the request; none without a rate
	Connect Counts            `json:"connect_us"`
	TTFT    Counts            `json:"ttft_us"` // of streams: to the first event
	Itl     Counts            `json:"itl_us"`  // of streams: between events
	// FirstToken is the time to the first event of the name of tokens, of streams that have one; nil without any.
	FirstToken *Counts `json:"first_token_us,omitempty"`
	// FanOut is how much later events came to followers than to the VU that began the stream; nil without followers.
	FanOut *Counts `json:"fan_out_us,omitempty"`
}
