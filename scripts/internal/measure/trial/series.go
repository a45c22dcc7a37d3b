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
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/measure/setup"
	"fairstream/scripts/internal/show/report"
)

// File holds one trial a line.
const File = "trials.jsonl"

// Server is the server that gets injected regressions.
const Server = "go-http"

// EditedServers are the servers whose sources are edited, one for each language.
var EditedServers = []string{"go-http", "rust-axum", "bun-hono"}

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

// Run runs the planned trials that are not finished, one after the other. It returns all trials.
func (s *Series) Run(ctx context.Context, trials []prove.Trial) ([]prove.Trial, error) {
	tasks := prove.Plan(s.Seed, s.Same, s.Edits, s.Each, s.Sizes, s.Neighbour, trials)
	if len(tasks) == 0 {
		fmt.Fprintf(os.Stderr, "prove: all trials are done: %s\n", s.file())
		return trials, nil
	}
	root, err := setup.Root()
	if err != nil {
		return trials, err
	}
	leave, err := session.LockCheckout(ctx, root)
	if err != nil {
		return trials, err
	}
	defer leave()
	code, err := os.MkdirTemp("", "fairstream-prove-")
	if err != nil {
		return trials, err
	}
	defer os.RemoveAll(code) // best effort: a temporary directory
	bench := workbench{root: root, code: code}
	sizes := s.Sizes
	if s.Each == 0 {
		sizes = nil // a machine too busy for a pilot may do without
	}
	if err := bench.open(ctx, sizes, s.Neighbour); err != nil {
		return trials, err
	}
	started := time.Now()
	for i, task := range tasks {
		if s.Limit > 0 && time.Since(started) > s.Limit {
			fmt.Fprintf(os.Stderr, "prove: %d trials are left; the same command goes on\n", len(tasks)-i)
			break
		}
		// The kind of a trial stays hidden until its verdict.
		fmt.Fprintf(os.Stderr, "prove: trial %d of %d\n", len(trials)+1, len(trials)+len(tasks)-i)
		trial, err := bench.try(ctx, task)
		if err != nil {
			return trials, fmt.Errorf("prove: trial %s: %w", task.ID, err)
		}
		trials = append(trials, trial)
		if err := s.keep(trial); err != nil {
			return trials, err
		}
		fmt.Fprintf(os.Stderr, "prove: %s: %s, in %.0f s of load\n", task.ID, report.Headline(prove.Newest(trials)), trial.LoadSeconds)
	}
	return trials, nil
}

// keep adds a trial to the file.
func (s *Series) keep(t prove.Trial) error {
	return prove.AddTrial(s.file(), t)
}

func (s *Series) file() string { return filepath.Join(s.Dir, File) }
