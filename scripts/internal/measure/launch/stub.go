package launch

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// Stubs says how stubs are started.
type Stubs struct {
	Root  string              // of the project
	Host  string              // address of this machine where they listen; "" is 127.0.0.1
	Ports func() (int, error) // free ones
	CPUs  string              // cores that they may use, in the form of process.Command
}

// stubLimit is the time that a stub may take until it is ready. It takes far less, so a later one is a fault of the
// machine.
const stubLimit = 10 * time.Second

// Start starts a stub, and waits until it is ready. Its output goes to the file log.
func (s Stubs) Start(ctx context.Context, log string) (stub *process.Process, port int, err error) {
	if port, err = s.Ports(); err != nil {
		return nil, 0, err
	}
	stub, err = process.Start(process.Command{
		Args: []string{filepath.Join(s.Root, "stub", "bin", "stub")}, Env: []string{"HOST=" + s.Host, fmt.Sprintf("PORT=%d", port)}, Bare: true, CPUs: s.CPUs,
	}, log)
	if err != nil {
		return nil, 0, fmt.Errorf("stub: %w", err)
	}
	if err := stub.WaitAnswer(ctx, port, process.Probe{Host: s.Host, Path: "/healthz", Status: http.StatusOK}, stubLimit); err != nil {
		stub.Stop()
		return nil, 0, fmt.Errorf("stub: %w", err)
	}
	return stub, port, nil
}

// controlLimit is the time in which a stub starts on a machine that is not to blame for a late server.
const controlLimit = 500 * time.Millisecond

// Busy starts another stub because a server is late, and ends it. The text says that the machine is too busy for
// anything to start in time. It is "" if the stub started quickly.
func (s Stubs) Busy(ctx context.Context, dir string) string {
	started := time.Now()
	control, _, err := s.Start(ctx, filepath.Join(dir, "control.log"))
	took := time.Since(started)
	if err == nil {
		control.Stop()
		if took <= controlLimit {
			return ""
		}
	}
	return fmt.Sprintf("a second stub took %.1f s to start, want at most %.1f: this machine is too busy", took.Seconds(), controlLimit.Seconds())
}
