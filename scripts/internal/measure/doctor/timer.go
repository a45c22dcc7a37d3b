package doctor

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// timerPeriod is that of tokens under stress, 1 ms, and as much for one that is late.
const timerPeriod = 2 * time.Millisecond

// lateness is by how many seconds each expiry of a periodic timer came late. It
// asks the kernel itself, since Go's own timers add their granularity.
func lateness(length time.Duration) (late []float64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	now := func() time.Duration {
		var ts unix.Timespec
		unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) // cannot fail: the clock is known
		return time.Duration(ts.Nano())
	}
	begun := now()
	for due := begun + timerPeriod; due < begun+length; {
		ts := unix.NsecToTimespec(int64(due))
		for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &ts, nil) == unix.EINTR {
		}
		woken := now()
		late = append(late, (woken - due).Seconds())
		// A late one must not make those after it late as well.
		due = max(due, woken) + timerPeriod
	}
	return late
}
