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
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/measure/trial"
	"fairstream/scripts/internal/show/report"
)

// What prove does without flags.
const (
	proveSame  = 60
	proveEdits = 60
	proveEach  = 40
)

// Prove runs trials and prints how often verdicts are wrong.
func Prove(flags *flag.FlagSet) cli.Action {
	var s trial.Series
	flags.IntVar(&s.Same, "same", proveSame, "trials of a server against itself")
	flags.IntVar(&s.Edits, "edits", proveEdits, "trials of a server against itself with its source edited to no effect: of "+strings.Join(trial.EditedServers, ", ")+" in turn")
	flags.IntVar(&s.Each, "trials", proveEach, "trials of each injected size")
	injected := flags.String("injected", "", "`size`, such as cpu=3,rss=5: by how many per cent quantities are made worse; of cpu, ttft, tail and rss (default: two sizes, of all four)")
	flags.DurationVar(&s.Limit, "for", 0, "begin no trial after this `duration`, such as 2h; the same command later goes on")
	flags.Uint64Var(&s.Seed, "seed", 1, "of the order of trials")
	flags.StringVar(&s.Dir, "o", "raw/prove", "`directory` of the trials; those that are in it are not done again")
	tables := flags.Bool("tables", false, "load nothing: print the tables of the trials there are")
	format := flags.String("format", "text", "of what is printed, one of "+strings.Join(report.TrialFormats(), ", "))
	return func(ctx context.Context, files []string) error {
		s.Sizes = prove.Combinations
		if *injected != "" {
			size, err := prove.ParseSize(*injected)
			if err != nil {
				return cli.UsageError{Err: err}
			}
			s.Sizes = []prove.Size{size}
		}
		if !slices.Contains(report.TrialFormats(), *format) {
			return cli.Usagef("prove: format %q: want one of %s", *format, strings.Join(report.TrialFormats(), ", "))
		}
		if *tables {
			return cli.Abandon(ctx, func() error {
				trials, err := s.Read()
				if err != nil {
					return err
				}
				return printTrials(trials, files, *format)
			})
		}
		release, err := session.LockDir("prove", s.Dir, false)
		if err != nil {
			return err
		}
		defer release()
		trials, err := s.Read()
		if err != nil {
			return err
		}
		trials, err = s.Run(ctx, trials)
		return cmp.Or(err, cli.Abandon(ctx, func() error { return printTrials(trials, files, *format) }))
	}
}

// printTrials prints the tables of trials, and of those in files: it takes a minute.
func printTrials(trials []prove.Trial, files []string, format string) error {
	for _, name := range files {
		more, err := cli.ReadFile(name, prove.ReadTrials)
		if err != nil {
			return cli.Usagef("prove: %w; want trials, as prove wrote them", err)
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
			return cli.Usagef("prove: trial %s of %s is in two of the files, and would count twice; name each file once, and not the %s of -o, which is read, too", t.ID, t.Started.Format(time.DateTime), trial.File)
		}
		seen[at] = true
	}
	if len(trials) == 0 {
		return errors.New("prove: no trials yet")
	}
	return report.WriteTrials(cli.Stdout, format, trials)
}
