// Package sample reads what processes cost: CPU time from their clocks, peak
// memory from the kernel's high-water mark, and timelines from pidstat. It
// knows pidstat's command line and output, and runs nothing.
package sample

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A Cost is what a set of processes, such as a server and its children, has used.
type Cost struct {
	CPU          time.Duration // user and system time since the processes started
	PeakRSSBytes int64         // sum of their peaks, so an upper bound for several
}

// Read sums the cost of living processes.
func Read(pids []int) (Cost, error) {
	var total Cost
	for _, pid := range pids {
		cpu, err := cpuTime(pid)
		if err != nil {
			return Cost{}, fmt.Errorf("process %d: CPU clock: %w", pid, err)
		}
		peak, err := peakRSS(pid)
		if err != nil {
			return Cost{}, fmt.Errorf("process %d: peak memory: %w", pid, err)
		}
		total.CPU += cpu
		total.PeakRSSBytes += peak
	}
	return total, nil
}

// cpuTime reads the process's CPU clock, which counts all its threads, ended
// ones too, in nanoseconds. Summing /proc/PID/task/*/schedstat would lose the
// threads that have ended. The clock's number is made as in clock_getcpuclockid(3).
func cpuTime(pid int) (time.Duration, error) {
	const clockSched = 2 // CPUCLOCK_SCHED: user and system, in ns
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|clockSched), &ts); err != nil {
		return 0, err
	}
	return time.Duration(ts.Nano()), nil
}

// peakRSS reads VmHWM: sampling once a second would miss peaks.
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
	return 0, fmt.Errorf("%s: no line VmHWM: %w", path, os.ErrProcessDone) // as in that of a zombie
}

// ResetPeaks sets the peak memory of each process to what it uses now: 5 in
// clear_refs, proc(5).
func ResetPeaks(pids []int) error {
	for _, pid := range pids {
		if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0); err != nil {
			return err
		}
	}
	return nil
}
