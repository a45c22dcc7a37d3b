package hist

// A Report is what was counted in a process, as sse.histograms() gives it to
// scripts and scripts write it to files. README.md of k6 says what each is.
type Report struct {
	Layout string   `json:"layout"`
	Series []Series `json:"series"`
}

// A Series is all streams of one target, plateau and slice. Times are of those
// that ended well, but for Connect.
type Series struct {
	Target  string           `json:"target"`
	Plateau string           `json:"plateau"`
	Slice   string           `json:"slice"`
	Begun   int64            `json:"begun"`
	OK      int64            `json:"ok"`
	Failed  map[string]int64 `json:"failed"` // by kind
	// Tokens that came before they were sent: the clock was set back.
	NegativeTransit int64  `json:"transit_negative"`
	Stream          Counts `json:"stream_us"`
	TTFT            Counts `json:"ttft_us"`
	TTFE            Counts `json:"ttfe_us"`
	Gap             Counts `json:"gap_us"`
	Transit         Counts `json:"transit_us"`
	Connect         Counts `json:"connect_us"`
}
