package sse

import (
	"time"

	"golang.org/x/sys/unix"
)

// maxPID is PID_MAX_LIMIT of Linux. The clock of a larger number would be that
// of another process.
const maxPID = 1 << 22

// cpuTime is the CPU time that processes have used, user and system, summed:
// the clock of a process counts threads that have ended, too. Its id is made
// of the pid; see clock_getcpuclockid(3).
func cpuTime(pids []int) (time.Duration, error) {
	var sum time.Duration
	for _, pid := range pids {
		var ts unix.Timespec
		if err := unix.ClockGettime(int32(^pid<<3|2), &ts); err != nil {
			return 0, err
		}
		sum += time.Duration(ts.Nano())
	}
	return sum, nil
}

// ownCPUTime is that of this process.
func ownCPUTime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts); err != nil {
		return 0 // there is always one
	}
	return time.Duration(ts.Nano())
}
