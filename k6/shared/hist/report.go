package hist

// A Report is the result of sse.histograms(), which scripts write to files. README.md of k6
// explains each field.
type Report struct {
	Layout string   `json:"layout"`
	Series []Series `json:"series"`
}

// A Series holds all streams of one target, level and slice. Times cover complete streams only,
// except Connect.
type Series struct {
	Target  string           `json:"target"`
	Level   string           `json:"level"`
	Slice   string           `json:"slice"`
	Started int64            `json:"started"`
	OK      int64            `json:"ok"`
	Failed  map[string]int64 `json:"failed"` // count by kind
	// Reasons has the text of the first failure of each kind.
	Reasons map[string]string `json:"reasons,omitempty"`
	// Retried were sent twice, since the server had closed an idle connection.
	Retried int64 `json:"retried,omitempty"`
	// Tokens of the stub that arrived, in failed streams too, and the number of repeated ones. Null
	// means that an older k6 did not count them.
	Tokens  *int64 `json:"tokens"`
	Doubled int64  `json:"tokens_doubled"`
	// Tokens that arrived before they were sent, since somebody set the clock back.
	NegativeTokenDelay int64  `json:"token_delay_negative"`
	Stream             Counts `json:"stream_us"`
	TTFT               Counts `json:"ttft_us"`
	TTFE               Counts `json:"ttfe_us"`
	Itl                Counts `json:"itl_us"`
	TokenDelay         Counts `json:"token_delay_us"`
	Connect            Counts `json:"connect_us"`
}

// Slices is the result of slices() of either module.
type Slices struct {
	Planned int               `json:"planned"`  // with repeated ones
	Slices  []Slice           `json:"slices"`   // finished slices
	GivenUp map[string]string `json:"given_up"` // targets that got no more load, with the reason
	// Instance is set if this is one of several instances.
	Instance *Instance `json:"instance,omitempty"`
}

// An Instance is one k6 of several that share a load.
type Instance struct {
	Segment     string `json:"segment"`       // its part, as --execution-segment
	Sequence    string `json:"sequence"`      // all parts, as --execution-segment-sequence
	Schedule    string `json:"schedule"`      // equal for equal schedules
	StartUnixMS int64  `json:"start_unix_ms"` // planned begin of the first slice
	Machine     string `json:"machine"`       // equal for instances that see the same cores and processes
	Late        string `json:"late"`          // why it ended its load early; "" without a lag
}

// A Slice is the result of one slice. Processes have the names of the schedule's watched; k6 is one
// of them.
type Slice struct {
	Slice         int                `json:"slice"` // from 0; the series have the same number
	Level         string             `json:"level"`
	Cycle         int                `json:"cycle,omitempty"`     // of the level, from 1; 0: none
	Discarded     bool               `json:"discarded,omitempty"` // it does not count, since another try of its cycle was calmer
	Targets       []string           `json:"targets"`
	VUs           int                `json:"vus"` // of each target
	StartedUnixMS int64              `json:"started_unix_ms"`
	PlannedMS     int64              `json:"planned_ms"`
	TookMS        float64            `json:"took_ms"`        // to the end of its last request
	BusyMS        map[string]float64 `json:"busy_ms"`        // time with a request, summed over the VUs of a target
	CPUMS         map[string]float64 `json:"cpu_ms"`         // by process, in the slice
	PeakRSSBytes  map[string]int64   `json:"peak_rss_bytes"` // by process, since the level began
	Lost          []string           `json:"lost"`           // processes that ended
	// Requests by target that were due in a slice with a rate, and that no connection could send in
	// time. Without a rate it is absent.
	Unsent   map[string]int64 `json:"unsent,omitempty"`
	K6WaitMS *float64         `json:"k6_wait_ms"` // sum of the time that k6's threads waited for a core; null is unknown
	// CPU time of the schedule's cores in the slice, over all programs; null is unknown.
	MachineBusyMS  *float64 `json:"machine_busy_ms"`
	MachineStealMS *float64 `json:"machine_steal_ms"` // taken by other virtual machines
}
