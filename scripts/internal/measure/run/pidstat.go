package run

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// pidstatTail lets pidstat finish the second in which the load ended, and
// pidstatEnd is how long it may take to end: one that is stopped never does.
const (
	pidstatTail = 1200 * time.Millisecond
	pidstatEnd  = 5 * time.Second
)

// finish lets pidstat complete its last second and write it. Its samples are a
// cross-check and timelines, and no verdict rests on them: what went wrong with it
// is said, and the k6 run is kept.
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
