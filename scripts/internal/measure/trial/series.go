// Package trial runs trials: comparisons with a known truth, since it injected a regression or changed
// nothing. Package prove counts the results.
package trial

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/show/report"
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
		fmt.Fprintf(os.Stderr, "prove: %s: %s, in %.0f s of load\n", task.ID, report.Headline(prove.Newest(trials)), trial.LoadSeconds)
		return nil
	})
	return trials, err
}

func (s *Series) file() string { return filepath.Join(s.Dir, File) }
