package load

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/measure/machines"
	"fairstream/scripts/internal/measure/process"
)

// k6s are the k6 of a run: one for all targets, or one for the script of each.
type k6s struct {
	processes []*process.Process
	scripts   []scriptRun
	remove    func() error
	// Of k6 on the load machine:
	machine  *machines.Machine // nil: they run here
	there    []*machines.Remote
	dirThere string // with their files
}

func (l k6Run) startK6(ctx context.Context, job K6Command, dir string, ready []subject, stub rigStub) (all k6s, err error) {
	if l.Machine != nil {
		return l.startK6There(ctx, job, dir, stub)
	}
	if l.Workload.Scripted {
		return l.startScripts(job, dir, ready)
	}
	file, remove, err := job.WriteTargets()
	if err != nil {
		return all, err
	}
	k6, err := process.Start(process.Command{Args: job.RunArgs(file), Env: K6Env, Bare: true, CPUs: l.Placement.rig()}, filepath.Join(dir, "k6.log"))
	if err != nil {
		return all, errors.Join(err, remove())
	}
	return k6s{processes: []*process.Process{k6}, remove: remove}, nil
}

func (all k6s) pids() (pids []int) {
	for _, k6 := range all.processes {
		pids = append(pids, k6.Pid)
	}
	return pids
}

// end stops all k6, and removes their temporary files.
func (all k6s) end() {
	for _, r := range all.there {
		r.Stop()
	}
	if all.dirThere != "" {
		limited, cancel := context.WithTimeout(context.Background(), 10*time.Second) // after an interruption, too
		defer cancel()
		_, _ = all.machine.Run(limited, nil, `rm -rf "$1"`, all.dirThere) // best effort: a temporary directory
	}
	process.StopAll(all.processes)
	for _, r := range all.scripts {
		r.end()
	}
	if all.remove != nil {
		_ = all.remove() // best effort: a temporary file
	}
}

// wait waits for all k6 to end.
func (l k6Run) wait(ctx context.Context, all []*process.Process, stub rigStub) error {
	start := time.Now()
	limit := 2*l.plan.Duration + slack // k6 may load each cycle again
	over := time.After(limit)
	for _, k6 := range all {
		select {
		case <-k6.Done():
			if err := k6.Err(); err != nil && !l.Workload.Scripted {
				return fmt.Errorf("k6: %w", err)
			}
		case <-stub.Done():
			return fmt.Errorf("stub: died %.1f s into %s: %w", time.Since(start).Seconds(), l.scenario, stub.Gone())
		case <-over:
			return fmt.Errorf("k6 did not end within %v; a slice ends with its last %s; load a server whose %[2]ss take seconds in a run of its own", limit, l.Workload.Unit)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
