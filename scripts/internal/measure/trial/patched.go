package trial

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// PatchFile holds one trial of a patch a line. Beside it are the raw files of each trial.
const PatchFile = "patched.jsonl"

// A PatchSeries is a plan of trials with patches, and the directory of their results. It needs no changes in
// servers, so it works for any workload. Unlike a Series, it cannot say what it delivered.
type PatchSeries struct {
	Patches string // directory
	Same    int    // trials of each patched server against itself
	Limit   time.Duration
	Seed    uint64
	Dir     string

	loader compare.Loader // nil: k6 loads
}

// Read reads the finished trials; none without the file.
func (s *PatchSeries) Read() ([]prove.PatchTrial, error) {
	return finished(s.file(), prove.ReadPatchTrials)
}

// Run runs the planned trials that are not finished. It returns all trials.
func (s *PatchSeries) Run(ctx context.Context, trials []prove.PatchTrial) ([]prove.PatchTrial, error) {
	patches, err := ReadPatches(s.Patches)
	if err != nil {
		return trials, cli.Usagef("prove: %w", err)
	}
	tasks := prove.PlanPatches(s.Seed, s.Same, patches, trials)
	if len(tasks) == 0 {
		fmt.Fprintf(os.Stderr, "prove: all trials are done: %s\n", s.file())
	}
	named := func(task prove.PatchTask) string { return ": " + task.ID }
	err = untilLimit(s.Limit, len(trials), tasks, named, func(task prove.PatchTask) error {
		trial, err := s.try(ctx, task)
		if err != nil {
			return fmt.Errorf("prove: trial %s: %w", task.ID, err)
		}
		trials = append(trials, trial)
		return prove.AddPatchTrial(s.file(), trial)
	})
	return trials, err
}

// try runs one trial, by the code of scripts/bench compare. A trial that was interrupted goes on in its directory.
func (s *PatchSeries) try(ctx context.Context, task prove.PatchTask) (t prove.PatchTrial, err error) {
	started := time.Now()
	t = prove.PatchTrial{PatchTask: task, Started: started.UTC().Truncate(time.Second)}
	server, err := workload.Parse(task.Server)
	if err != nil {
		return t, err
	}
	c := compare.Comparison{
		Base: session.Side{Name: "base", Ref: "HEAD"}, Head: session.Side{Name: "head", Ref: "HEAD"},
		Same: true, // also where the two programs are one
	}
	o := session.Options{Scenarios: record.Compare, Asked: raw.Asked{Rounds: verdict.Rounds, Seed: task.Seed}, Dir: filepath.Join(s.Dir, task.ID)}
	patch := func(ctx context.Context, targets []load.Target) error { return s.patch(ctx, task, targets) }
	if s.loader == nil {
		if c.Root, err = build.Root(); err != nil {
			return t, err
		}
		err = c.Made(ctx, o, server, patch)
	} else {
		c.Dir, c.Seed, c.Rounds, c.Loader = o.Dir, o.Seed, o.Rounds, compare.MakingLoader{Loader: s.loader, Make: patch}
		err = c.Servers(ctx, []workload.Server{server})
	}
	if err != nil && !errors.Is(err, cli.ErrFindings) {
		return t, err
	}
	records, err := cli.ReadFile(filepath.Join(o.Dir, session.RecordsFile), record.Read)
	if err != nil {
		return t, err
	}
	comparisons := verdict.Comparisons(records)
	if len(comparisons) != 1 {
		return t, fmt.Errorf("%s: %d comparisons; want one", o.Dir, len(comparisons))
	}
	t.Comparison, t.WallSeconds = comparisons[0], time.Since(started).Seconds()
	return t, nil
}

// patch changes the sources of head. They are no commit's then. A patch may also change how they are built.
func (s *PatchSeries) patch(ctx context.Context, task prove.PatchTask, targets []load.Target) error {
	if task.Patch == nil {
		return nil
	}
	for i := range targets {
		if t := &targets[i]; t.Side == "head" {
			t.Source = revision.Source{}
			err := ApplyPatch(ctx, t.Server, filepath.Join(s.Patches, task.Patch.Name+patchSuffix))
			if err == nil {
				t.Server, err = server.Load(t.Server.Dir)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *PatchSeries) file() string { return filepath.Join(s.Dir, PatchFile) }
