package trial

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"fairstream/k6/shared/strict"
	"fairstream/scripts/internal/judge/prove"
)

// The paces of k6/relay/compare.js, which distinguish the streams of its levels.
const (
	baselinePace = "50ms"
	steadyPace   = "10ms"
	stressPace   = "1ms"
)

// ReadTold reads the last report of an injected server from its log. Other lines may stand in between.
func ReadTold(log io.Reader) (told prove.Told, err error) {
	found := false
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if !bytes.HasPrefix(lines.Bytes(), []byte(`{"injected":`)) {
			continue
		}
		var line struct{ Injected prove.Told }
		if err := strict.Decode(lines.Bytes(), &line); err != nil {
			return prove.Told{}, fmt.Errorf("injected server's log: %q: %w", lines.Text(), err)
		}
		told, found = line.Injected, true
	}
	if err := lines.Err(); err != nil {
		return prove.Told{}, fmt.Errorf("injected server's log: %w", err)
	}
	if !found {
		return prove.Told{}, fmt.Errorf("injected server's log: no line of the injected amount; want such a line within a second of the start")
	}
	return told, nil
}

// SumLogs sums the reports in all logs of one side.
func SumLogs(paths []string) (prove.Told, error) {
	var all []prove.Told
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return prove.Told{}, err
		}
		told, err := ReadTold(f)
		f.Close() // read only
		if err != nil {
			return prove.Told{}, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, told)
	}
	return Sum(all), nil
}
