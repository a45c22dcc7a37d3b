package load

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/process"
)

// A sampler is a running pidstat; nil on a machine without it.
type sampler struct{ *process.Process }

// startPidstat starts pidstat, if set-up found it. One that went away since is an error: half of a run would have
// other facts.
func (o Options) startPidstat(pids []int, output string) (sampler, error) {
	if o.Tools[build.Sampler] == "" || len(pids) == 0 { // direct alone, with the stub on another machine
		return sampler{}, nil
	}
	p, err := process.Start(process.Command{Args: PidstatArgs(pids), Env: PidstatEnv, Bare: true, CPUs: o.Placement.rig()}, output)
	return sampler{p}, err
}

func (s sampler) stop() {
	if s.Process != nil {
		s.Stop()
	}
}

// end lets pidstat finish, and notes its fault, or that there was none to start.
func (s sampler) end(ctx context.Context, facts *raw.Facts) (err error) {
	if facts.Unsampled = s.Process == nil; facts.Unsampled {
		return nil
	}
	if facts.Pidstat, err = finish(ctx, s.Process); err == nil {
		facts.PidstatCPUSeconds = s.CPUTime().Seconds()
	}
	return err
}

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

// PidstatArgs is the command line that samples processes once a second until SIGINT. -h prints a process a
// line, and -H prints Unix seconds. JSON output exists only since sysstat 12.7.7.
func PidstatArgs(pids []int) []string {
	var list []string
	for _, pid := range pids {
		list = append(list, strconv.Itoa(pid))
	}
	return []string{"pidstat", "-u", "-r", "-h", "-H", "-p", strings.Join(list, ","), "1"}
}

// PidstatEnv fixes decimal points and column names.
var PidstatEnv = []string{"LC_ALL=C"}
