package hist

// A Report is what was counted in a process, as sse.histograms() gives it to
// scripts and scripts write it to files. README.md of k6 says what each is.
type Report struct {
	Layout string   `json:"layout"`
	Series []Series `json:"series"`
}

// A Series is all streams of one target, level and slice. Times are of those
// that ended well, but for Connect.
type Series struct {
	Target  string           `json:"target"`
	Level   string           `json:"level"`
	Slice   string           `json:"slice"`
	Started int64            `json:"started"`
	OK      int64            `json:"ok"`
	Failed  map[string]int64 `json:"failed"` // by kind
	// Reasons has the text of the first failure of each kind.
	Reasons map[string]string `json:"reasons,omitempty"`
	// Tokens of the stub that came, in streams that failed too, and how many of them
	// had come before in their stream. Null: k6 was of a time when it did not count them.
	Tokens  *int64 `json:"tokens"`
	Doubled int64  `json:"tokens_doubled"`
	// Tokens that came before they were sent: the clock was set back.
	NegativeTokenDelay int64  `json:"token_delay_negative"`
	Stream             Counts `json:"stream_us"`
	TTFT               Counts `json:"ttft_us"`
	TTFE               Counts `json:"ttfe_us"`
	Itl                Counts `json:"itl_us"`
	TokenDelay         Counts `json:"token_delay_us"`
	Connect            Counts `json:"connect_us"`
}

// Slices is what was seen of a schedule, as sse.slices() gives it.
type Slices struct {
	Planned int               `json:"planned"`
	Slices  []Slice           `json:"slices"`   // those that are over
	GivenUp map[string]string `json:"given_up"` // targets that were loaded no more, with the reason
}

// A Slice is what was seen of one slice. Processes are named as in the schedule's
// watched; k6 is always among them.
type Slice struct {
	Slice         int                `json:"slice"` // from 0; the slice of its series
	Level         string             `json:"level"`
	Targets       []string           `json:"targets"`
	VUs           int                `json:"vus"` // of each
	StartedUnixMS int64              `json:"started_unix_ms"`
	PlannedMS     int64              `json:"planned_ms"`
	TookMS        float64            `json:"took_ms"`        // to the end of its last stream
	BusyMS        map[string]float64 `json:"busy_ms"`        // time that the VUs of a target had a stream, summed
	CPUMS         map[string]float64 `json:"cpu_ms"`         // of each process in the slice
	PeakRSSBytes  map[string]int64   `json:"peak_rss_bytes"` // since the level began
	Lost          []string           `json:"lost"`           // processes that ended
	K6WaitMS      *float64           `json:"k6_wait_ms"`     // k6's threads were ready and waited for a core, summed; null is unknown
	// What the schedule's cores did in the slice, for whichever program, summed;
	// null is unknown.
	MachineBusyMS  *float64 `json:"machine_busy_ms"`
	MachineStealMS *float64 `json:"machine_steal_ms"` // that the host of a virtual machine kept for others
}
