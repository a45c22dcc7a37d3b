// Package trial runs trials: comparisons with a known truth, since it injected a regression or changed
// nothing. Package prove counts the results.
package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/show/answer"
)

// File holds one trial a line.
const File = "trials.jsonl"

// Servers are the servers of trials, in turn: one for each language.
var Servers = []string{"go-http", "rust-axum", "bun-hono"}

// A Series is a plan of trials and the directory of their results.
type Series struct {
	Same, Edits, Each int           // trials of a server against itself, of edits, and of each size
	Sizes             []prove.Size  // injected sizes
	Limit             time.Duration // no trial begins after it; 0: no limit
	Seed              uint64        // decides the order of trials
	Neighbour         float64       // share of the machine that a simulated neighbour takes; 0: none
	Dir               string
}

// Read reads the finished trials; none without the file.
func (s *Series) Read() ([]prove.Trial, error) { return finished(s.file(), prove.ReadTrials) }

// Run runs the planned trials that are not finished, one after the other. It returns all trials.
func (s *Series) Run(ctx context.Context, trials []prove.Trial) ([]prove.Trial, error) {
	tasks := prove.Plan(s.Seed, s.Same, s.Edits, s.Each, s.Sizes, s.Neighbour, trials)
	if len(tasks) == 0 {
		fmt.Fprintf(os.Stderr, "prove: all trials are done: %s\n", s.file())
		return trials, nil
	}
	root, err := build.Root()
	if err != nil {
		return trials, err
	}
	leave, err := session.LockCheckout(ctx, root)
	if err != nil {
		return trials, err
	}
	defer leave()
	code, err := filepath.Abs(filepath.Join(s.Dir, "servers"))
	if err != nil {
		return trials, err
	}
	bench := workbench{root: root, code: code, recent: map[string][]Figures{}}
	sizes := s.Sizes
	if s.Each == 0 {
		sizes = nil // none needs a pilot
	}
	if err := bench.open(ctx, sizes, s.Neighbour); err != nil {
		return trials, err
	}
	hidden := func(prove.Task) string { return "" } // the kind of a trial, until its verdict
	err = untilLimit(s.Limit, len(trials), tasks, hidden, func(task prove.Task) error {
		trial, err := bench.try(ctx, task)
		if err != nil {
			return fmt.Errorf("prove: trial %s: %w", task.ID, err)
		}
		trials = append(trials, trial)
		if err := prove.AddTrial(s.file(), trial); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "prove: %s: %s, in %.0f s of load\n", task.ID, answer.Headline(prove.Newest(trials)), trial.LoadSeconds)
		return nil
	})
	return trials, err
}

func (s *Series) file() string { return filepath.Join(s.Dir, File) }

// finished reads the finished trials in a file; none without it.
func finished[T any](file string, read func(io.Reader) ([]T, error)) ([]T, error) {
	trials, err := cli.ReadFile(file, read)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cli.Usagef("prove: %w; move the file away, or repair it", err)
	}
	return trials, nil
}

// untilLimit tries tasks one after the other. It starts none after the limit, or tries all where the limit is 0.
// done is the number of trials that finished before. label follows a task's number in the progress.
func untilLimit[T any](limit time.Duration, done int, tasks []T, label func(T) string, try func(T) error) error {
	started := time.Now()
	for i, task := range tasks {
		if limit > 0 && time.Since(started) > limit {
			fmt.Fprintf(os.Stderr, "prove: %d trials are left; the same command goes on\n", len(tasks)-i)
			break
		}
		fmt.Fprintf(os.Stderr, "prove: trial %d of %d%s\n", done+i+1, done+len(tasks), label(task))
		if err := try(task); err != nil {
			return err
		}
	}
	return nil
}
