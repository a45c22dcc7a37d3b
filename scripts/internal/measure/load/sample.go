package load

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// PeakRSS is the peak memory of living processes since ResetPeaks, in bytes. It sums VmHWM, so it is an upper
// bound for several processes. Samples once a second would miss peaks.
func PeakRSS(pids []int) (bytes int64, err error) {
	for _, pid := range pids {
		peak, err := peakRSS(pid)
		if err != nil {
			return 0, fmt.Errorf("process %d: peak memory: %w", pid, err)
		}
		bytes += peak
	}
	return bytes, nil
}

func peakRSS(pid int) (int64, error) {
	path := fmt.Sprintf("/proc/%d/status", pid)
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kb * 1024, err
		}
	}
	return 0, fmt.Errorf("%s: no line VmHWM: %w", path, os.ErrProcessDone) // a zombie has none
}

// ResetPeaks sets the peak memory of each process to its current memory: 5 in clear_refs, proc(5).
func ResetPeaks(pids []int) error {
	for _, pid := range pids {
		if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0); err != nil {
			return err
		}
	}
	return nil
}
