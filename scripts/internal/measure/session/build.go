package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/server"
)

// SetUp installs and builds what a run of servers needs, and the targets beside it. A failing target gets
// Broken. It returns the versions of the tools.
func SetUp(ctx context.Context, root string, servers []server.Server, targets []load.Target) (tools map[string]string, err error) {
	if err := build.Toolchains(ctx, servers); err != nil {
		return nil, err
	}
	var unsampled error
	jobs := build.Jobs(ctx, root, func(err error) { unsampled = err })
	jobs = append(jobs, databases(servers)...)
	err = Build(ctx, targets, jobs...)
	if unsampled != nil {
		fmt.Fprintf(os.Stderr, "%v\n    without it, timelines, mean memory and its growth are unknown; CPU time, peak memory and verdicts do not need it\n", unsampled)
	}
	if err != nil {
		return nil, err
	}
	return build.Versions(ctx, root)
}

// ForVerify makes what the checks of servers need: the stub, k6 for a server's own script, and services.
func ForVerify(root string, servers []server.Server) []build.Job {
	jobs := append(databases(servers), build.Stub(root))
	if slices.ContainsFunc(servers, func(s server.Server) bool { return s.Declared != nil && s.Declared.Script != "" }) {
		jobs = append(jobs, build.K6(root))
	}
	return jobs
}

// databases installs PostgreSQL and Redis if a server needs one.
func databases(servers []server.Server) []build.Job {
	if slices.ContainsFunc(servers, func(s server.Server) bool { return s.Needs().Any() }) {
		return []build.Job{build.Services()}
	}
	return nil
}

// Build builds targets beside the rig's jobs, and reports each. A broken target gets Broken and does not stop
// the others. Targets need the rig, so a job that fails cancels them. Its error comes
// first, then those of targets that failed before it.
func Build(ctx context.Context, targets []load.Target, rig ...build.Job) error {
	return buildAtOnce(ctx, build.AtOnce(), targets, rig)
}

func buildAtOnce(ctx context.Context, atOnce int, targets []load.Target, rig []build.Job) error {
	building, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := make([]build.Job, 0, len(rig)+len(targets))
	for _, job := range rig {
		jobs = append(jobs, build.Job{Name: job.Name, Do: func(ctx context.Context) error {
			err := job.Do(ctx)
			if err != nil {
				cancel()
			}
			return err
		}})
	}
	for i := range targets {
		if t := &targets[i]; t.Broken == nil {
			jobs = append(jobs, build.Job{Name: t.Name(), Do: func(ctx context.Context) error {
				t.Broken = buildTarget(ctx, t)
				return t.Broken
			}})
		}
	}
	bar := cli.NewBar(os.Stderr, 0)
	defer bar.End()
	errs, began := make([]error, len(jobs)), time.Now()
	bar.Step(fmt.Sprintf("build: %d programs", len(jobs)), 0)
	build.SideBySide(building, jobs, atOnce, build.Watch{
		Running: func(done int, names []string) {
			bar.Update(fmt.Sprintf("build: %d of %d done; now %s", done, len(jobs), strings.Join(names, ", ")))
		},
		Ended: func(i int, took time.Duration, err error) {
			if errs[i] = err; err == nil {
				bar.Print(fmt.Sprintf("build: %s: done in %.1f s", jobs[i].Name, took.Seconds()))
			}
		},
	})
	if err := failures(errs[:len(rig)]); err != nil {
		return errors.Join(err, failures(errs[len(rig):]))
	}
	bar.Print(fmt.Sprintf("build: all done in %.1f s", time.Since(began).Seconds()))
	return ctx.Err()
}

// buildAgain builds a side once more, alone, if only the other one could be built. Builds may disturb each other, such as two
// of pip that write to one directory of the machine. begun are the targets whose build was begun.
func buildAgain(ctx context.Context, targets []load.Target, begun []*load.Target) error {
	for i := range targets {
		base, head := &targets[i], headOf(targets, i)
		if head == nil || (base.Broken == nil) == (head.Broken == nil) {
			continue
		}
		failed := head
		if base.Broken != nil {
			failed = base
		}
		if !slices.Contains(begun, failed) {
			continue
		}
		fmt.Fprintf(os.Stderr, "build: %s: once more, alone, since the other side was built: %v\n", failed.Name(), failed.Broken)
		one := []load.Target{*failed}
		one[0].Broken = nil
		if err := Build(ctx, one); err != nil {
			return err
		}
		*failed = one[0]
	}
	return nil
}

// failures joins errors, without those of jobs that were only cancelled.
func failures(errs []error) error {
	var failed []error
	for _, err := range errs {
		if !errors.Is(err, context.Canceled) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// buildTarget builds one target.
func buildTarget(ctx context.Context, t *load.Target) (err error) {
	if err = build.Server(ctx, t.Server); err != nil {
		return err
	}
	if t.Versions, err = build.ServerVersions(ctx, t.Server); err != nil {
		return err
	}
	if t.Artefact, err = build.Artefact(t.Server); err != nil {
		return err
	}
	t.Deployed, err = build.Deployed(t.Server)
	return err
}
