package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/launch"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/services"
	"fairstream/scripts/internal/workload"
)

// readyLimit is in the contract. patiently is for checks about something else.
var readyLimit = 5 * time.Second

const patiently = 3 * Patience

// A Subject is a running server between its stub and the checks.
type Subject struct {
	Manifest server.Server
	workload workload.Workload
	Root     string // of the project
	ports    func() (int, error)
	Server   *process.Process
	Port     int
	Stub     *process.Process // nil without an upstream
	StubPort int
	Database *services.Database // nil without one
	Log      string             // the server's output
	Light    bool               // the check is a light one
	ids      int                // number of journal ids, so that requests stay apart
	others   []*process.Process // of the same server
}

// start starts the server, and a stub if the workload has an upstream. The server must be ready within a limit.
func start(ctx context.Context, root, dir string, s server.Server, with *services.Services, ready time.Duration, ports func() (int, error)) (*Subject, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, HarnessError{err}
	}
	sub := &Subject{Manifest: s, workload: workload.Named(s.Workload), Root: root, ports: ports, Log: filepath.Join(dir, "server.log")}
	stubs := launch.Stubs{Root: root, Ports: ports}
	var err error
	if sub.workload.Upstream {
		if sub.Stub, sub.StubPort, err = stubs.Start(ctx, filepath.Join(dir, "stub.log")); err != nil {
			return nil, HarnessError{err}
		}
	}
	if with != nil {
		if sub.Database, err = with.Database(ctx); err != nil {
			sub.stop()
			return nil, HarnessError{err}
		}
	}
	for tries := 1; ; tries++ {
		if sub.Port, err = ports(); err != nil {
			err = HarnessError{err}
			break
		}
		if sub.Server, err = sub.launch(ctx, ready); err == nil {
			return sub, nil
		}
		if _, late := errors.AsType[process.Late](err); !late {
			break
		}
		busy := stubs.Busy(ctx, dir)
		if busy == "" {
			break
		}
		if tries == mostTries {
			err = HarnessError{fmt.Errorf("%w; %s to verify on; end what else runs, and run again", err, busy)}
			break
		}
	}
	sub.stop()
	return nil, err
}

// mostTries limits the starts of a late server. It is started again while a new stub is late too, since the machine is
// then at fault.
const mostTries = 3

// launch starts the server on the subject's port.
func (s *Subject) launch(ctx context.Context, ready time.Duration) (*process.Process, error) {
	return s.launchAt(ctx, s.Port, s.StubURL(""), s.Log, ready)
}

// launchAt starts a process of the server on a port. stub is the URL of its upstream.
func (s *Subject) launchAt(ctx context.Context, port int, stub, log string, ready time.Duration) (*process.Process, error) {
	var env []string
	if s.Database != nil {
		env = s.Database.Env()
	}
	server, err := launch.Start(ctx, s.Manifest, port, stub, env, log, ready)
	if unable, ok := errors.AsType[process.Unable](err); ok {
		return nil, HarnessError{unable}
	}
	if err == nil {
		serving.Store(port, server)
	}
	return server, err
}

// logged is the size of the server's log.
func (s *Subject) logged() int64 {
	info, err := os.Stat(s.Log)
	if err != nil {
		return 0 // then everything counts as new
	}
	return info.Size()
}

// mostLines limits the lines of a server's log in a failed check.
const mostLines = 2

// withLog adds the server's new log lines to an error that does not quote them yet.
func (s *Subject) withLog(err error, size int64) error {
	lines, readErr := files.QuoteLog(s.Log, size, mostLines)
	if readErr != nil || len(lines) == 0 || strings.Contains(err.Error(), " last lines:\n") {
		return err
	}
	return fmt.Errorf("%w; its log says:\n    %s", err, strings.Join(lines, "\n    "))
}

// stop stops server and stub at the same time, since a server may wait for what its stub holds back.
func (s *Subject) stop() {
	var all []*process.Process
	for _, p := range append([]*process.Process{s.Server, s.Stub}, s.others...) {
		if p != nil {
			all = append(all, p)
		}
	}
	process.StopAll(all)
}

// Second starts another process of the server, beside the first, and returns its port. stub is the URL of its upstream: that of
// the stub, or of a proxy before it.
func (s *Subject) Second(ctx context.Context, stub string) (port int, err error) {
	if port, err = s.ports(); err != nil {
		return 0, HarnessError{err}
	}
	other, err := s.launchAt(ctx, port, stub, s.Log+".2", patiently)
	if err != nil {
		return 0, fmt.Errorf("a second process: %w", err)
	}
	s.others = append(s.others, other)
	return port, nil
}

// Restart kills the server and starts it again on its port.
func (s *Subject) Restart(ctx context.Context) error {
	s.Server.Signal(syscall.SIGKILL)
	s.Server.Stop()
	again, err := s.launch(ctx, patiently)
	if err != nil {
		return fmt.Errorf("after a restart: %w", err)
	}
	s.Server = again
	return nil
}

// Dir is the server's working directory.
func (s *Subject) Dir() string { return s.Manifest.Dir }

// Move starts the server again in another directory and on another port. There a check may change the copies of some files.
func (s *Subject) Move(ctx context.Context, files ...string) error {
	to, err := moved(s.Manifest.Dir, cmp.Or(s.Manifest.Whole, repository(s.Manifest.Dir)), filepath.Join(filepath.Dir(s.Log), "moved"), files)
	if err != nil {
		return HarnessError{err}
	}
	s.Manifest.Dir = to
	if s.Port, err = s.ports(); err != nil {
		return HarnessError{err}
	}
	return s.Restart(ctx)
}

// Share returns how many of n streams, requests or events a check uses.
func (s *Subject) Share(n int) int {
	if s.Light {
		return n / 10
	}
	return n
}

// ID returns a new journal id.
func (s *Subject) ID() string {
	s.ids++
	return fmt.Sprintf("v%d", s.ids)
}

// Peak is the server's peak memory since the last reset.
func (s *Subject) Peak(reset bool) (int64, error) {
	pids := process.Group(s.Server.Pid)
	bytes, err := load.PeakRSS(pids)
	if err == nil && reset {
		err = load.ResetPeaks(pids)
	}
	if err == nil {
		return bytes, nil
	}
	err = fmt.Errorf("the server's memory: %w", err)
	if slices.Equal(process.Group(s.Server.Pid), pids) { // all of them live, so this kernel does not say
		return 0, HarnessError{err}
	}
	return 0, err
}
