package prove

import "strconv"

// Flags are the sizes of a injected server, as it takes them on its command
// line. Times are in us. The zero Flags are the same program without any.
type Flags struct {
	Work      int     `json:"work,omitempty"`    // iterations of a small loop for each read
	TTFTUS    float64 `json:"ttft_us,omitempty"` // by which TTFTShare of streams begin later
	TTFTShare float64 `json:"ttft_share,omitempty"`
	TTFTPace  string  `json:"ttft_pace,omitempty"` // of the streams that this is for; "" is any
	TailUS    float64 `json:"tail_us,omitempty"`   // by which TailShare of streams end later
	TailShare float64 `json:"tail_share,omitempty"`
	TailPace  string  `json:"tail_pace,omitempty"`
	LockShare float64 `json:"lock_share,omitempty"` // of the time for which a lock is held that all streams pass
	LockPace  string  `json:"lock_pace,omitempty"`
	Resident  int64   `json:"resident,omitempty"` // bytes for each of the streams that are open at a time
	Fixed     int64   `json:"fixed,omitempty"`    // bytes from the start
	Leak      int64   `json:"leak,omitempty"`     // bytes that each stream leaves behind
	Merge     int     `json:"merge,omitempty"`    // reads handed on as one; 0 and 1 merge nothing
}

// Args are the flags that are not zero.
func (f Flags) Args() (args []string) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for _, flag := range []struct {
		name  string
		value float64
	}{
		{"work", float64(f.Work)}, {"ttft-us", f.TTFTUS}, {"ttft-share", f.TTFTShare}, {"tail-us", f.TailUS}, {"tail-share", f.TailShare}, {"lock-share", f.LockShare},
		{"resident", float64(f.Resident)}, {"fixed", float64(f.Fixed)}, {"leak", float64(f.Leak)}, {"merge", float64(f.Merge)},
	} {
		if flag.value != 0 {
			args = append(args, "-"+flag.name, number(flag.value))
		}
	}
	for _, pace := range [][2]string{{"-ttft-pace", f.TTFTPace}, {"-tail-pace", f.TailPace}, {"-lock-pace", f.LockPace}} {
		if pace[1] != "" {
			args = append(args, pace[:]...)
		}
	}
	return args
}

// A Change is an edit of a server's source that changes nothing it does. A
// compiler may all the same lay the program out in another way, and make it
// faster or slower by that.
type Change struct {
	Language string `json:"language"`
	What     string `json:"what"` // file, and what was done there
}

// Told is the report of an injected server on the streams that ended: inject/tell.go of package
// trial. The server counts where it applies the size, and sees no measurement.
type Told struct {
	Given                           // to streams of any pace
	Paces          map[string]Given `json:"paces"` // by the itl that the message asks for, such as 50ms
	NSPerIteration float64          `json:"ns_per_iteration"`
	MostOpen       int              `json:"most_open"` // streams at a time
	FixedBytes     int64            `json:"fixed_bytes"`
	ResidentBytes  int64            `json:"resident_bytes"`
	LeakedBytes    int64            `json:"leaked_bytes"`
}

// Given is what some streams had.
type Given struct {
	Streams    int    `json:"streams"`
	Reads      int    `json:"reads"` // that the server saw
	Iterations int    `json:"iterations"`
	Waits      int    `json:"waits,omitempty"` // of reads for the lock
	TTFT       Delays `json:"ttft"`
	Tail       Delays `json:"tail"`
}

// Delays are how many were given, and how long they were.
type Delays struct {
	Count  int     `json:"count"`
	MeanUS float64 `json:"mean_us"`
}

// Delivered is what a injected server was given in a trial, by its own account.
type Delivered struct {
	Told [2]Told            `json:"told"` // of base and head, summed over the rounds
	Pct  map[string]float64 `json:"pct"`  // by the cell that is to find it
}
