package cmd

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/measure/trial"
	"fairstream/scripts/internal/show/report"
)

// Defaults of prove.
const (
	proveSame  = 30
	proveEdits = 30
	proveEach  = 18
	proveDir   = "raw/prove"
)

// Prove runs trials and prints how often verdicts are wrong.
func Prove(flags *flag.FlagSet) cli.Action {
	var s trial.Series
	inTurn := strings.Join(trial.Servers, ", ") + " in turn"
	flags.IntVar(&s.Same, "same", proveSame, "`number` of trials of a server against itself, of "+inTurn)
	flags.IntVar(&s.Edits, "edits", proveEdits, "`number` of trials with an edit that changes nothing, of "+inTurn)
	flags.IntVar(&s.Each, "trials", proveEach, "`number` of trials of each injected size, of "+inTurn)
	injected := flags.String("injected", "", "`sizes` of injected regressions in per cent, such as cpu=3,rss=5, of "+strings.Join(prove.Quantities, ", ")+" (default: one of five in each)")
	flags.DurationVar(&s.Limit, "for", 0, "start no trial after this `duration`, such as 2h; the same command continues later")
	flags.Uint64Var(&s.Seed, "seed", 1, "`seed` of the order of trials")
	flags.Float64Var(&s.Neighbour, "neighbour", 0, "`share` of the machine that a simulated neighbour takes meanwhile, at random and in bursts, such as 0.5; 0 is none. Such trials have their own tables")
	flags.StringVar(&s.Dir, "o", proveDir, "`directory` of the trials; trials in it are not repeated")
	patches := flags.String("patches", "", "`directory` of patches: instead of the trials above, run one with each patch, and -same (default 4) of each patched server against itself")
	tables := flags.Bool("tables", false, "load nothing; print the tables of the trials so far")
	format := flags.String("format", "text", "one of "+strings.Join(report.TrialFormats(), ", "))
	build.Flag(flags)
	return func(ctx context.Context, files []string) error {
		if *patches != "" {
			return provePatches(ctx, flags, trial.PatchSeries{Patches: *patches, Same: s.Same, Limit: s.Limit, Seed: s.Seed, Dir: s.Dir}, files, *tables, *format)
		}
		s.Sizes = prove.Combinations
		if *injected != "" {
			size, err := prove.ParseSize(*injected)
			if err != nil {
				return cli.UsageError{Err: err}
			}
			s.Sizes = []prove.Size{size}
		}
		if !(s.Neighbour >= 0 && s.Neighbour < 1) {
			return cli.Usagef("prove: neighbour %g: want a share of the machine, from 0 and below 1, such as 0.5", s.Neighbour)
		}
		if !slices.Contains(report.TrialFormats(), *format) {
			return cli.Usagef("prove: format %q: unknown; known are %s", *format, strings.Join(report.TrialFormats(), ", "))
		}
		return runTrials(ctx, s.Dir, *tables, s.Read, s.Run, func(trials []prove.Trial) error { return printTrials(trials, files, *format) })
	}
}

// runTrials runs the trials that are not finished, and prints all. With tables it only prints.
func runTrials[T any](ctx context.Context, dir string, tables bool, read func() ([]T, error), run func(context.Context, []T) ([]T, error), print func([]T) error) error {
	if tables {
		return cli.Abandon(ctx, func() error {
			trials, err := read()
			if err != nil {
				return err
			}
			return print(trials)
		})
	}
	release, err := session.LockDir("prove", dir, false)
	if err != nil {
		return err
	}
	defer release()
	trials, err := read()
	if err != nil {
		return err
	}
	trials, err = run(ctx, trials)
	return cmp.Or(err, cli.Abandon(ctx, func() error { return print(trials) }))
}

// printTrials prints the tables of the trials in a directory and in files. It takes a minute.
func printTrials(trials []prove.Trial, files []string, format string) error {
	for _, name := range files {
		more, err := cli.ReadFile(name, prove.ReadTrials)
		if err != nil {
			return cli.Usagef("prove: %w; want files of trials that scripts/bench prove wrote", err)
		}
		trials = append(trials, more...)
	}
	type one struct { // trials of several states of the method may share their names
		id      string
		started time.Time
	}
	seen := map[one]bool{}
	for _, t := range trials {
		at := one{t.ID, t.Started}
		if seen[at] {
			return cli.Usagef("prove: trial %s of %s is in two of the files, and would count twice; name each file once, and leave out the %s of -o, which is always read", t.ID, t.Started.Format(time.DateTime), trial.File)
		}
		seen[at] = true
	}
	if len(trials) == 0 {
		return errors.New("prove: no trials yet; run scripts/bench prove without -tables first")
	}
	return report.WriteTrials(cli.Stdout, format, trials)
}
