package raw

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Sample is one process in one second, as pidstat saw it.
type Sample struct {
	Time     int64 // end of the second in Unix seconds, as a steady clock counts
	PID      int
	CPUPct   float64 // user and system time, in per cent of one core
	RSSBytes int64
}

// ParsePidstat reads the output of pidstat. It finds columns by the header, since their numbers differ
// between versions of sysstat. It drops an incomplete last line, which may end within a number.
func ParsePidstat(r io.Reader) ([]Sample, error) {
	var samples []Sample
	var header []string
	var clock steady
	scanner := bufio.NewScanner(r)
	scanner.Split(wholeLines)
	for number := 1; scanner.Scan(); number++ {
		fields := strings.Fields(scanner.Text())
		switch {
		case len(fields) == 0 || strings.HasPrefix(fields[0], "Linux"):
		case fields[0] == "#":
			header = fields[1:]
			clock.begin()
		case header == nil:
			return nil, fmt.Errorf("line %d: a sample before any header: %q", number, scanner.Text())
		default:
			s, err := parseLine(header, fields)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", number, err)
			}
			s.Time = clock.read(s.Time)
			samples = append(samples, s)
		}
	}
	return samples, scanner.Err()
}

// wholeLines is bufio.ScanLines without an incomplete last line.
func wholeLines(data []byte, atEOF bool) (advance int, line []byte, err error) {
	if atEOF && bytes.IndexByte(data, '\n') < 0 {
		return len(data), nil, nil
	}
	return bufio.ScanLines(data, atEOF)
}

func parseLine(header, fields []string) (s Sample, err error) {
	number := func(column string) float64 {
		i := slices.Index(header, column)
		if err != nil {
			return 0
		}
		if i < 0 {
			err = fmt.Errorf("no column %s; the header has %s", column, strings.Join(header, " "))
			return 0
		}
		if i >= len(fields) {
			err = fmt.Errorf("the line ends before column %s", column)
			return 0
		}
		v, perr := strconv.ParseFloat(fields[i], 64)
		if perr != nil || math.IsNaN(v) || math.IsInf(v, 0) { // JSON cannot encode these
			err = fmt.Errorf("column %s: %q is not a number", column, fields[i])
		}
		return v
	}
	s = Sample{
		Time:     int64(number("Time")),
		PID:      int(number("PID")),
		CPUPct:   number("%CPU"),
		RSSBytes: int64(number("RSS")) * 1024, // pidstat(1): in kilobytes
	}
	if err == nil && (s.Time < 0 || s.Time > mostTime) {
		err = fmt.Errorf("column Time: %d; want Unix seconds", s.Time)
	}
	return s, err
}

// mostTime is the last second of the year 9999. Sums of later times would overflow.
const mostTime = 253402300799
