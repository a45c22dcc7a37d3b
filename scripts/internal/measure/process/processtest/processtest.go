// Package processtest reads what running programs cost, for benchmarks.
package processtest

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime sums the clocks of processes; see clock_getcpuclockid(3).
func CPUTime(t testing.TB, pids ...int) (sum time.Duration) {
	t.Helper()
	for _, pid := range pids {
		var ts unix.Timespec
		if err := unix.ClockGettime(int32(^pid<<3|2), &ts); err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(ts.Nano())
	}
	return sum
}
