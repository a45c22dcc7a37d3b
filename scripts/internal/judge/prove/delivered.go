package prove

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"fairstream/scripts/internal/files/jsonl"
)

// Told is what a planted server says it gave up to now, of the streams that
// ended: testdata/plant/tell.go. It is counted where the dose is given, and
// knows nothing of what was measured.
type Told struct {
	Given                           // to streams of any pace
	Paces          map[string]Given `json:"paces"` // by the gap that the message asks for, such as 50ms
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
	TTFT       Delays `json:"ttft"`
	Tail       Delays `json:"tail"`
}

// The paces of k6/relay/pair.js, by which streams of its plateaus are told apart.
const (
	baselinePace = "50ms"
	steadyPace   = "10ms"
	stressPace   = "1ms"
)

// Delays are how many were given, and how long they were.
type Delays struct {
	Count  int     `json:"count"`
	MeanUS float64 `json:"mean_us"`
}

// ReadTold reads the last of a planted server's lines out of its log, in which
// others may stand between.
func ReadTold(log io.Reader) (told Told, err error) {
	found := false
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if !bytes.HasPrefix(lines.Bytes(), []byte(`{"planted":`)) {
			continue
		}
		var line struct{ Planted Told }
		if err := jsonl.Strict(lines.Bytes(), &line); err != nil {
			return Told{}, fmt.Errorf("planted server's log: %q: %w", lines.Text(), err)
		}
		told, found = line.Planted, true
	}
	if err := lines.Err(); err != nil {
		return Told{}, fmt.Errorf("planted server's log: %w", err)
	}
	if !found {
		return Told{}, fmt.Errorf("planted server's log: no line of what was given; want one a second after the start")
	}
	return told, nil
}

// SumLogs is what all logs of one side tell together.
func SumLogs(paths []string) (Told, error) {
	var all []Told
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return Told{}, err
		}
		told, err := ReadTold(f)
		f.Close() // it was only read
		if err != nil {
			return Told{}, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, told)
	}
	return Sum(all), nil
}
