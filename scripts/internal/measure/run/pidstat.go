package run

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// pidstatTail lets pidstat finish the second in which the load ended. pidstatEnd limits its end, since a
// stopped pidstat never ends.
const (
	pidstatTail = 1200 * time.Millisecond
	pidstatEnd  = 5 * time.Second
)

// finish lets pidstat complete its last second and write it. Its samples serve as a cross-check and for
// timelines, and no verdict depends on them. So a fault of pidstat is noted, and the k6 run is kept.
func finish(ctx context.Context, pidstat *process.Process) (wrong string, err error) {
	select {
	case <-pidstat.Done():
		return fmt.Sprintf("pidstat: %s before the load ended", pidstat.Ending()), nil
	case <-ctx.Done():
		return "", ctx.Err()
	case <-time.After(pidstatTail):
	}
	pidstat.Signal(syscall.SIGINT)
	select {
	case <-pidstat.Done():
		return "", nil
	case <-ctx.Done():
		return "", ctx.Err()
	case <-time.After(pidstatEnd):
		pidstat.Kill()
		return fmt.Sprintf("pidstat: did not end within %v of SIGINT and was killed", pidstatEnd), nil
	}
}
