package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"fairstream/scripts/load"
	"fairstream/scripts/process"
	"fairstream/scripts/raw"
	"fairstream/scripts/sample"
)

// A loading is one target under one scenario in one round: what becomes one record.
type loading struct {
	Options
	target   Target
	scenario string
	round    int
	position int
	plan     load.Plan
}

func (l loading) label() string {
	label := l.target.Server.Name + " " + l.scenario
	if l.Rounds > 1 {
		label += fmt.Sprintf(", round %d of %d", l.round, l.Rounds)
	}
	return label
}

// readyLimit is how long a server may take to answer GET /healthz.
const readyLimit = 5 * time.Second

// drainLimit is how long streams and k6 itself may take to end after the load.
const drainLimit = 90 * time.Second

// pidstatTail lets pidstat finish the second in which the load ended.
const pidstatTail = 1200 * time.Millisecond

// A subjectError is the fault of the target, not of the harness.
type subjectError struct{ error }

// measure loads the target and writes the raw files, facts.json last. The
// target's own failure becomes part of the facts; any other error is returned,
// and there are no facts.
func (l loading) measure(ctx context.Context) error {
	dir := raw.Dir(l.Dir, l.round, l.target.Server.Name, l.scenario)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	facts := raw.Facts{
		Round: l.round, Position: l.position, Server: l.target.Server.Name, Scenario: l.scenario,
		Started: time.Now().UTC().Truncate(time.Second),
	}
	err := l.target.Broken
	if err == nil {
		err = l.load(ctx, dir, &facts)
		if _, subject := errors.AsType[subjectError](err); err != nil && !subject {
			return err
		}
	}
	if err != nil {
		facts.Error, facts.PIDs, facts.CPUSeconds, facts.PeakRSSBytes = err.Error(), nil, nil, nil
	}
	return raw.WriteJSON(filepath.Join(dir, raw.FactsFile), facts)
}

// load starts the stub and the target, warms up, and loads them.
func (l loading) load(ctx context.Context, dir string, facts *raw.Facts) error {
	stub, stubURL, err := l.startStub(ctx, dir)
	if err != nil {
		return err
	}
	defer stub.Stop()
	server, url, err := l.startServer(ctx, dir, stubURL)
	if err != nil {
		return err
	}
	defer server.Stop()

	job := load.Job{K6: filepath.Join(l.Root, "k6"), Scenario: l.scenario, URL: url, Quick: l.Quick}
	warm := job
	warm.WarmUp, warm.Summary = true, filepath.Join(dir, "warm-up.json")
	k6, err := process.Start(process.Command{Args: warm.RunArgs(), Env: load.Env}, filepath.Join(dir, "warm-up.log"))
	if err != nil {
		return err
	}
	if err := l.wait(ctx, "warm-up", drainLimit, k6, server, stub); err != nil {
		return err
	}
	job.Summary = filepath.Join(dir, raw.SummaryFile)
	return l.sampled(ctx, dir, job, server, stub, facts)
}

// sampled runs the scenario, with pidstat beside it, and notes what the
// processes used meanwhile.
func (l loading) sampled(ctx context.Context, dir string, job load.Job, server, stub *process.Process, facts *raw.Facts) error {
	roles := map[string][]int{"server": process.Group(server.Pid), "stub": {stub.Pid}}
	before := map[string]sample.Cost{}
	for role, pids := range roles {
		err := sample.ResetPeaks(pids)
		if err == nil {
			before[role], err = sample.Read(pids)
		}
		if err != nil {
			return l.blame(err, server)
		}
	}

	k6, err := process.Start(process.Command{Args: job.RunArgs(), Env: load.Env}, filepath.Join(dir, "k6.log"))
	if err != nil {
		return err
	}
	defer k6.Stop()
	pids := slices.Concat([]int{k6.Pid}, roles["stub"], roles["server"])
	pidstat, err := process.Start(process.Command{Args: sample.PidstatArgs(pids), Env: sample.PidstatEnv}, filepath.Join(dir, raw.PidstatFile))
	if err != nil {
		return err
	}
	defer pidstat.Stop()
	if err := l.wait(ctx, l.scenario, l.plan.Duration+drainLimit, k6, server, stub); err != nil {
		return err
	}

	facts.PIDs = map[string][]int{"k6": {k6.Pid}}
	facts.CPUSeconds = map[string]float64{"k6": k6.CPUTime().Seconds()}
	facts.PeakRSSBytes = map[string]int64{}
	for role, pids := range roles {
		after, err := sample.Read(pids)
		if err != nil {
			return l.blame(err, server)
		}
		facts.PIDs[role] = pids
		facts.CPUSeconds[role] = (after.CPU - before[role].CPU).Seconds()
		facts.PeakRSSBytes[role] = after.PeakRSSBytes
	}
	return finish(ctx, pidstat)
}

// finish lets pidstat complete its last second and write it.
func finish(ctx context.Context, pidstat *process.Process) error {
	select {
	case <-pidstat.Done():
		return fmt.Errorf("pidstat: %w", pidstat.Gone())
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pidstatTail):
		pidstat.Signal(syscall.SIGINT)
		<-pidstat.Done()
		return nil
	}
}

func (l loading) startStub(ctx context.Context, dir string) (*process.Process, string, error) {
	port, err := l.Ports()
	if err != nil {
		return nil, "", err
	}
	stub, err := process.Start(process.Command{
		Args: []string{filepath.Join(l.Root, "stub", "bin", "stub")}, Env: []string{fmt.Sprintf("PORT=%d", port)},
	}, filepath.Join(dir, "stub.log"))
	if err != nil {
		return nil, "", fmt.Errorf("stub: %w", err)
	}
	if err := stub.WaitReady(ctx, port, "/healthz", readyLimit); err != nil {
		stub.Stop()
		return nil, "", fmt.Errorf("stub: %w", err)
	}
	return stub, fmt.Sprintf("http://127.0.0.1:%d/v1", port), nil
}

func (l loading) startServer(ctx context.Context, dir, stubURL string) (*process.Process, string, error) {
	port, err := l.Ports()
	if err != nil {
		return nil, "", err
	}
	server, err := process.Start(process.Command{
		Args: l.target.Server.Run, Dir: l.target.Server.Dir,
		Env: []string{fmt.Sprintf("PORT=%d", port), "STUB_URL=" + stubURL},
	}, filepath.Join(dir, "server.log"))
	if err != nil {
		return nil, "", subjectError{err}
	}
	if err := server.WaitReady(ctx, port, "/healthz", readyLimit); err != nil {
		server.Stop()
		if ctx.Err() == nil {
			err = subjectError{err}
		}
		return nil, "", err
	}
	return server, fmt.Sprintf("http://127.0.0.1:%d/chat", port), nil
}

// wait waits for k6 to end and ends it when anything else ends first.
func (l loading) wait(ctx context.Context, what string, limit time.Duration, k6, server, stub *process.Process) error {
	start := time.Now()
	defer k6.Stop()
	select {
	case <-k6.Done():
		if err := k6.Err(); err != nil {
			return fmt.Errorf("k6: %s: %w", what, err)
		}
		return nil
	case <-server.Done():
		return subjectError{fmt.Errorf("died %.1f s into %s: %w", time.Since(start).Seconds(), what, server.Gone())}
	case <-stub.Done():
		return fmt.Errorf("stub: died %.1f s into %s: %w", time.Since(start).Seconds(), what, stub.Gone())
	case <-time.After(limit):
		return subjectError{fmt.Errorf("%s did not end within %v; streams hang", what, limit)}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// blame finds out whether err is there because the server has died.
func (l loading) blame(err error, server *process.Process) error {
	select {
	case <-server.Done():
		return subjectError{fmt.Errorf("died: %w", server.Gone())}
	case <-time.After(100 * time.Millisecond): // its end may be noticed a moment later
		return err
	}
}
