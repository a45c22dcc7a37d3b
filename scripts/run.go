package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/load"
	"fairstream/scripts/process"
	"fairstream/scripts/progress"
	"fairstream/scripts/record"
	"fairstream/scripts/report"
	"fairstream/scripts/run"
)

// defaultScenarios are run when none is named.
var defaultScenarios = []string{"baseline", "stress"}

// recordsFile holds the records, beside the raw files they were read from.
const recordsFile = "run.jsonl"

func runCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	scenarios := flags.String("scenario", strings.Join(defaultScenarios, ","), "`scenarios`, separated by commas")
	rounds := flags.Int("rounds", 1, "how often each server is loaded with each scenario")
	quick := flags.Bool("quick", false, "shorten every scenario: shows that all works, measures little")
	seed := flags.Uint64("seed", 0, "of the order of servers in a round; 0 draws one")
	dir := flags.String("o", "", "`directory` for raw files and records (default raw/START)")
	return func(ctx context.Context, names []string) error {
		root, servers, err := project(names)
		if err != nil {
			return err
		}
		chosen, err := chooseScenarios(filepath.Join(root, "k6"), *scenarios)
		if err != nil {
			return err
		}
		if *rounds < 1 {
			return usageError{fmt.Errorf("run: -rounds %d: want 1 or more", *rounds)}
		}
		if len(servers) == 0 {
			return errors.New("run: no servers: servers/ is empty")
		}
		if *seed == 0 {
			*seed = rand.Uint64N(1 << 32)
		}
		if *dir == "" {
			*dir = filepath.Join("raw", time.Now().UTC().Format("2006-01-02T150405Z"))
		}
		if err := run.Fresh(*dir); err != nil {
			return usageError{err}
		}

		tools, err := setUp(ctx, root, servers)
		if err != nil {
			return err
		}
		targets := buildAll(ctx, servers)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := verifyAll(ctx, root, targets); err != nil {
			return err
		}
		bar := progress.New(os.Stderr, 0)
		runErr := run.Run(ctx, run.Options{
			Root: root, Dir: *dir, Targets: targets, Scenarios: chosen, Rounds: *rounds, Seed: *seed, Quick: *quick,
			Tools: tools, Ports: process.FreePort,
			Begin: func(total time.Duration) { bar = progress.New(os.Stderr, total) },
			Step:  func(label string, planned time.Duration) { bar.Step(label, planned) },
		})
		bar.End()
		// What broke the harness matters more than what a server did.
		return cmp.Or(runErr, conclude(*dir, runErr))
	}
}

// conclude turns the raw files, those of an unfinished run too, into records
// and a table.
func conclude(dir string, runErr error) error {
	if _, err := os.Stat(dir); err != nil && runErr != nil {
		return nil // it never began
	}
	records, planned, err := record.FromRaw(dir)
	if err != nil {
		return err
	}
	if len(records) < planned {
		fmt.Fprintf(os.Stderr, "run: %d of %d records were finished; their raw files are kept in %s\n", len(records), planned, dir)
	}
	if len(records) == 0 {
		return nil
	}
	path := filepath.Join(dir, recordsFile)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(record.Write(f, records), f.Close()); err != nil {
		return err
	}
	if err := report.Write(os.Stdout, "text", records); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "records: %s\n", path)
	if slices.ContainsFunc(records, func(r record.Record) bool { return r.Status == record.Invalid }) {
		return errNo
	}
	return nil
}

func chooseScenarios(k6, list string) ([]string, error) {
	known, err := load.Scenarios(k6)
	if err != nil {
		return nil, err
	}
	var chosen []string
	for name := range strings.SplitSeq(list, ",") {
		if !slices.Contains(known, name) {
			return nil, usageError{fmt.Errorf("scenario %q: unknown; known are %s", name, strings.Join(known, ", "))}
		}
		if !slices.Contains(chosen, name) {
			chosen = append(chosen, name)
		}
	}
	return chosen, nil
}
