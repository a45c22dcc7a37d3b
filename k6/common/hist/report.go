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
	// Tokens of the stub that came, in streams that failed too, and how many of them
	// had come before in their stream. Null: k6 was of a time when it did not count them.
	Tokens  *int64 `json:"tokens"`
	Doubled int64  `json:"tokens_doubled"`
	// Tokens that came before they were sent: the clock was set back.
	NegativeTransit int64  `json:"transit_negative"`
	Stream          Counts `json:"stream_us"`
	TTFT            Counts `json:"ttft_us"`
	TTFE            Counts `json:"ttfe_us"`
	Gap             Counts `json:"gap_us"`
	Transit         Counts `json:"transit_us"`
	Connect         Counts `json:"connect_us"`
}

// Turns is what was seen of a schedule, as sse.turns() gives it.
type Turns struct {
	Planned int               `json:"planned"`
	Turns   []Turn            `json:"turns"`    // those that are over
	GivenUp map[string]string `json:"given_up"` // targets that were loaded no more, with the reason
}

// A Turn is what was seen of one turn. Processes are named as in the schedule's
// watched; k6 is always among them.
type Turn struct {
	Turn         int                `json:"turn"` // from 0; the slice of its series
	Plateau      string             `json:"plateau"`
	Targets      []string           `json:"targets"`
	VUs          int                `json:"vus"` // of each
	BegunUnixMS  int64              `json:"begun_unix_ms"`
	PlannedMS    int64              `json:"planned_ms"`
	TookMS       float64            `json:"took_ms"`        // to the end of its last stream
	BusyMS       map[string]float64 `json:"busy_ms"`        // time that the VUs of a target had a stream, summed
	CPUMS        map[string]float64 `json:"cpu_ms"`         // of each process in the turn
	PeakRSSBytes map[string]int64   `json:"peak_rss_bytes"` // since the plateau began
	Lost         []string           `json:"lost"`           // processes that ended
	K6WaitMS     *float64           `json:"k6_wait_ms"`     // k6's threads were ready and waited for a core, summed; null is unknown
	// What the schedule's cores did in the turn, for whichever program, summed;
	// null is unknown.
	MachineBusyMS  *float64 `json:"machine_busy_ms"`
	MachineStealMS *float64 `json:"machine_steal_ms"` // that the host of a virtual machine kept for others
}
