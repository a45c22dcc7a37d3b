// Package trial runs trials: comparisons whose right answer is known, since a
// regression was injected or nothing was changed. Package prove counts them.
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
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/measure/setup"
	"fairstream/scripts/internal/show/report"
)

// File holds a trial on each line.
const File = "trials.jsonl"

// Server is the server that sizes are injected in.
const Server = "go-http"

// EditedServers are the servers whose sources are edited, one of each language.
var EditedServers = []string{"go-http", "rust-axum", "bun-hono"}

// A Series is a number of trials and where they are kept.
type Series struct {
	Same, Edits, Each int           // trials of a server with itself, with edits, and of each size
	Sizes             []prove.Size  // injected
	Limit             time.Duration // begins no trial after it; 0 has none
	Seed              uint64        // of the order of trials
	Dir               string
}

// Read reads the trials that are done, none when there is no file yet.
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

// Run does the trials that are planned and not done, one after the other. It
// returns all of them.
func (s *Series) Run(ctx context.Context, trials []prove.Trial) ([]prove.Trial, error) {
	tasks := prove.Plan(s.Seed, s.Same, s.Edits, s.Each, s.Sizes, trials)
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
	if err := bench.open(ctx, s.Sizes); err != nil {
		return trials, err
	}
	started := time.Now()
	for i, task := range tasks {
		if s.Limit > 0 && time.Since(started) > s.Limit {
			fmt.Fprintf(os.Stderr, "prove: %d trials are left; the same command goes on\n", len(tasks)-i)
			break
		}
		// Which kind it is nobody is told before it is judged.
		fmt.Fprintf(os.Stderr, "prove: trial %d of %d\n", len(trials)+1, len(trials)+len(tasks)-i)
		trial, err := bench.try(ctx, task, noiseHistory(trials))
		if err != nil {
			return trials, fmt.Errorf("prove: trial %s: %w", task.ID, err)
		}
		trials = append(trials, trial)
		if err := s.keep(trial); err != nil {
			return trials, err
		}
		fmt.Fprintf(os.Stderr, "prove: %s: %s, in %.0f s of load\n", task.ID, report.Headline(trial.Answer()), trial.LoadSeconds)
	}
	return trials, nil
}

// keep adds a trial to the file.
func (s *Series) keep(t prove.Trial) error {
	return prove.AddTrial(s.file(), t)
}

// noise history is what trials leave for the priors of the next.
func noiseHistory(trials []prove.Trial) (lines []verdict.NoiseHistory) {
	for _, t := range trials {
		lines = append(lines, verdict.Remember(t.Comparison, t.ID))
	}
	return lines
}

func (s *Series) file() string { return filepath.Join(s.Dir, File) }
