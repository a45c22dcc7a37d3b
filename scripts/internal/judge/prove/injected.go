package prove

import "strconv"

// InjectedSuffix distinguishes a server with injected regressions from its original. It is another program with its own
// history.
const InjectedSuffix = "-injected"

// Flags are the command line of an injected server. Times are in us. The zero Flags are the same program without a
// regression.
type Flags struct {
	Work      int     `json:"work,omitempty"` // iterations of a small loop for each read
	WorkPace  string  `json:"work_pace,omitempty"`
	TTFTUS    float64 `json:"ttft_us,omitempty"` // by which TTFTShare of streams begin later
	TTFTShare float64 `json:"ttft_share,omitempty"`
	TTFTPace  string  `json:"ttft_pace,omitempty"` // only streams of this pace; "" is any
	TailUS    float64 `json:"tail_us,omitempty"`   // by which TailShare of streams end later
	TailShare float64 `json:"tail_share,omitempty"`
	TailPace  string  `json:"tail_pace,omitempty"`
	LockWork  int     `json:"lock_work,omitempty"` // iterations once for each stream
	LockPace  string  `json:"lock_pace,omitempty"`
	Resident  int64   `json:"resident,omitempty"` // bytes for each concurrent stream
}

// Args are the flags that are not zero.
func (f Flags) Args() (args []string) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for _, flag := range []struct {
		name  string
		value float64
	}{
		{"work", float64(f.Work)}, {"ttft-us", f.TTFTUS}, {"ttft-share", f.TTFTShare}, {"tail-us", f.TailUS}, {"tail-share", f.TailShare}, {"lock-work", float64(f.LockWork)},
		{"resident", float64(f.Resident)},
	} {
		if flag.value != 0 {
			args = append(args, "-"+flag.name, number(flag.value))
		}
	}
	for _, pace := range [][2]string{{"-work-pace", f.WorkPace}, {"-ttft-pace", f.TTFTPace}, {"-tail-pace", f.TailPace}, {"-lock-pace", f.LockPace}} {
		if pace[1] != "" {
			args = append(args, pace[:]...)
		}
	}
	return args
}

// A Change is an edit of a server's source without an effect. A compiler may still lay the program out in another way,
// and so make it faster or slower.
type Change struct {
	Language string `json:"language"`
	What     string `json:"what"` // file, and what was done there
}

// Told is an injected server's report of the streams that ended. The server counts where it applies the size, and sees no
// measurement.
type Told struct {
	Given                           // to streams of any pace
	Paces          map[string]Given `json:"paces"` // by the itl that the message asks for, such as 50ms
	NSPerIteration float64          `json:"ns_per_iteration"`
	MostOpen       int              `json:"most_open"` // streams at a time
	ResidentBytes  int64            `json:"resident_bytes"`
}

// Given is what some streams got.
type Given struct {
	Streams    int    `json:"streams"`
	Reads      int    `json:"reads"` // that the server saw
	Iterations int    `json:"iterations"`
	TTFT       Delays `json:"ttft"`
	Tail       Delays `json:"tail"`
}

// Delays are the number of delays, and their mean.
type Delays struct {
	Count  int     `json:"count"`
	MeanUS float64 `json:"mean_us"`
}

// Delivered is what an injected server did in a trial, by its own report.
type Delivered struct {
	Told [2]Told            `json:"told"` // of base and head, summed over the rounds
	Pct  map[string]float64 `json:"pct"`  // by the cell that should find it
}
