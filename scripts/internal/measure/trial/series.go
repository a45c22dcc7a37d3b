// Package trial runs trials: comparisons with a known truth, since it injected a regression or changed
// nothing. Package prove counts the results.
package trial

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

// File holds one trial a line.
const File = "trials.jsonl"

// Servers are the servers that sizes and edits know: one for each language.
var Servers = []string{sized("go-http"), sized("rust-axum"), sized("bun-hono")}

func sized(name string) string {
	return workload.Server{Workload: workload.Names()[0], Name: name}.String()
}

// A Series is a plan of trials and the directory of their results.
type Series struct {
	prove.Plan
	Limit time.Duration // no trial begins after it; 0: no limit
	Dir   string
	// PatchDir has patches. Those of Servers are tried, or all without Servers. Machines is a file that names a second machine.
	// Such trials, and those of other servers than the variable Servers, run by the code of scripts/bench compare. They have
	// no size and no edit.
	PatchDir string
	Machines string
	// Where names the functions that changed, in trials that run by the code of scripts/bench compare.
	Where bool

	loader compare.Loader // nil: k6 loads
}

// Read reads the finished trials; none without the file.
func (s *Series) Read() ([]prove.Trial, error) {
	trials, err := cli.ReadFile(s.file(), prove.ReadTrials)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cli.Usagef("prove: %w; move the file away, or repair it", err)
	}
	return trials, nil
}

// Sized reports whether its trials may have sizes and edits.
func (s *Series) Sized() bool {
	return s.PatchDir == "" && s.Machines == "" && !slices.ContainsFunc(s.Servers, func(name string) bool { return !slices.Contains(Servers, name) })
}

// Run runs the planned trials that are not finished, one after the other. It returns all trials.
func (s *Series) Run(ctx context.Context, trials []prove.Trial) ([]prove.Trial, error) {
	plan := s.Plan
	if s.PatchDir != "" {
		var err error
		if plan.Patches, err = ReadPatches(s.PatchDir); err != nil {
			return trials, cli.Usagef("prove: %w", err)
		}
		if s.Servers == nil {
			for _, p := range plan.Patches {
				plan.Servers = append(plan.Servers, p.Server)
			}
			slices.Sort(plan.Servers)
			plan.Servers = slices.Compact(plan.Servers)
		}
		plan.Patches = slices.DeleteFunc(plan.Patches, func(p prove.Patch) bool { return !slices.Contains(plan.Servers, p.Server) })
		if len(plan.Patches) == 0 {
			return trials, cli.Usagef("prove: %s: no patch of %s", s.PatchDir, strings.Join(plan.Servers, ", "))
		}
	}
	all, tasks := len(plan.Tasks(nil)), plan.Tasks(trials)
	if len(tasks) == 0 {
		fmt.Fprintf(os.Stderr, "prove: all trials are done: %s\n", s.file())
		return trials, nil
	}
	try := s.compare
	if s.Sized() {
		bench, leave, err := s.workbench(ctx)
		if err != nil {
			return trials, err
		}
		defer leave()
		try = bench.try
	}
	started := time.Now()
	for i, task := range tasks {
		if s.Limit > 0 && time.Since(started) > s.Limit {
			fmt.Fprintf(os.Stderr, "prove: %d trials are left; the same command goes on\n", len(tasks)-i)
			break
		}
		// The kind of a trial is hidden until its verdict.
		fmt.Fprintf(os.Stderr, "prove: trial %d of %d: %s\n", all-len(tasks)+i+1, all, task.Server)
		t := prove.Trial{Task: task, Started: time.Now().UTC().Truncate(time.Second)}
		if err := try(ctx, &t); err != nil {
			return trials, fmt.Errorf("prove: trial %s: %w", task.ID, err)
		}
		t.WallSeconds = time.Since(t.Started).Seconds()
		if err := prove.AddTrial(s.file(), t); err != nil {
			return trials, err
		}
		trials = append(trials, t)
		fmt.Fprintf(os.Stderr, "prove: %s: %s\n", task.ID, answer.Headline(t.Answer()))
	}
	return trials, nil
}

// workbench opens a workbench for the trials. leave ends the lock of the checkout.
func (s *Series) workbench(ctx context.Context) (bench *workbench, leave func(), err error) {
	root, err := build.Root()
	if err != nil {
		return nil, nil, err
	}
	if leave, err = session.LockCheckout(ctx, root); err != nil {
		return nil, nil, err
	}
	code, err := filepath.Abs(filepath.Join(s.Dir, "servers"))
	bench = &workbench{root: root, code: code, recent: map[string][]Figures{}}
	if err == nil {
		sizes := s.Sizes
		if s.Each == 0 {
			sizes = nil // none needs a pilot
		}
		err = bench.open(ctx, s.Servers, sizes, s.Neighbour)
	}
	if err != nil {
		leave()
		return nil, nil, err
	}
	return bench, leave, nil
}

func (s *Series) file() string { return filepath.Join(s.Dir, File) }
