package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	label := l.target.Name() + " " + l.scenario
	if l.Rounds > 1 {
		label += fmt.Sprintf(", round %d of %d", l.round, l.Rounds)
	}
	return label
}

// drainLimit is how long streams and k6 itself may take to end after the load.
const drainLimit = 2 * time.Minute

// pidstatTail lets pidstat finish the second in which the load ended.
const pidstatTail = 1200 * time.Millisecond

// A targetError is the fault of the target, not of the harness.
type targetError struct{ error }

// measure loads the target and writes the raw files, facts.json last. The
// target's own failure becomes part of the facts; any other error is returned,
// and there are no facts.
func (l loading) measure(ctx context.Context) error {
	dir := raw.Dir(l.Dir, l.round, l.target.Name(), l.scenario)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	facts := raw.Facts{
		Round: l.round, Position: l.position, Target: l.target.Name(), Scenario: l.scenario,
		Started: time.Now().UTC().Truncate(time.Second),
	}
	whole := facts // what a failed load had noted is dropped
	err := l.target.Broken
	if err == nil {
		err = l.load(ctx, dir, &whole)
		if _, target := errors.AsType[targetError](err); err != nil && !target {
			return err
		}
	}
	if err == nil {
		facts = whole
	} else {
		facts.Error = err.Error()
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
	warm.WarmUp, warm.Summary = true, filepath.Join(dir, raw.WarmUpFile)
	k6, err := process.Start(process.Command{Args: warm.RunArgs(), Env: load.Env, Bare: true}, filepath.Join(dir, "warm-up.log"))
	if err != nil {
		return err
	}
	if err := l.wait(ctx, "warm-up", drainLimit, k6, server, stub); err != nil {
		return err
	}
	job.Summary = filepath.Join(dir, raw.SummaryFile)
	return l.sampled(ctx, dir, job, server, stub, stubURL, facts)
}

// sampled runs the scenario, with pidstat beside it, and notes what the
// processes used meanwhile.
func (l loading) sampled(ctx context.Context, dir string, job load.Job, server, stub *process.Process, stubURL string, facts *raw.Facts) error {
	roles := map[string][]int{"server": process.Group(server.Pid), "stub": {stub.Pid}}
	before := map[int]sample.Cost{}
	for _, pid := range slices.Concat(roles["server"], roles["stub"]) {
		err := sample.ResetPeaks([]int{pid})
		if err == nil {
			before[pid], err = sample.Read([]int{pid})
		}
		if err != nil {
			return l.blame(err, server)
		}
	}
	sentBefore, err := askStub(ctx, stubURL)
	if err != nil {
		return err
	}

	k6, err := process.Start(process.Command{Args: job.RunArgs(), Env: load.Env, Bare: true}, filepath.Join(dir, "k6.log"))
	if err != nil {
		return err
	}
	defer k6.Stop()
	pids := slices.Concat([]int{k6.Pid}, roles["stub"], roles["server"])
	pidstat, err := process.Start(process.Command{Args: sample.PidstatArgs(pids), Env: sample.PidstatEnv, Bare: true}, filepath.Join(dir, raw.PidstatFile))
	if err != nil {
		return err
	}
	defer pidstat.Stop()
	if err := l.wait(ctx, l.scenario, l.plan.Duration+drainLimit, k6, server, stub); err != nil {
		return err
	}

	sent, err := askStub(ctx, stubURL)
	if err != nil {
		return err
	}
	facts.StubStreams = sent.Completed - sentBefore.Completed
	facts.StubStreamSeconds = float64(sent.StreamUS-sentBefore.StreamUS) / 1e6
	facts.PIDs = map[string][]int{"k6": {k6.Pid}, "stub": roles["stub"], "server": process.Group(server.Pid)}
	facts.CPUSeconds = map[string]float64{"k6": k6.CPUTime().Seconds()}
	facts.PeakRSSBytes = map[string]int64{}
	for _, role := range []string{"server", "stub"} {
		for _, pid := range facts.PIDs[role] {
			after, err := sample.Read([]int{pid})
			if err != nil {
				return l.blame(err, server)
			}
			facts.CPUSeconds[role] += (after.CPU - before[pid].CPU).Seconds()
			facts.PeakRSSBytes[role] += after.PeakRSSBytes
		}
	}
	for _, pid := range roles["server"] {
		if !slices.Contains(facts.PIDs["server"], pid) {
			facts.Doubts = append(facts.Doubts, fmt.Sprintf("process %d of the server ended under load; its CPU time is not counted", pid))
		}
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
		return targetError{fmt.Errorf("died %.1f s into %s: %w", time.Since(start).Seconds(), what, server.Gone())}
	case <-stub.Done():
		return fmt.Errorf("stub: died %.1f s into %s: %w", time.Since(start).Seconds(), what, stub.Gone())
	case <-time.After(limit):
		return targetError{fmt.Errorf("%s did not end within %v; streams hang", what, limit)}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// blame finds out whose fault it is that a process could not be read: the
// target's, if one of its processes has ended.
func (l loading) blame(err error, server *process.Process) error {
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ESRCH) && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-server.Done():
		return targetError{fmt.Errorf("died: %w", server.Gone())}
	case <-time.After(100 * time.Millisecond): // its end may be noticed a moment later
		return targetError{fmt.Errorf("one of its processes ended while it was read (%w); want a server whose processes stay", err)}
	}
}
