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
	"fairstream/scripts/internal/workload"
)

// Defaults of prove, where sizes and edits are known.
const (
	proveSame  = 30
	proveEdits = 30
	proveEach  = 18
	proveDir   = "raw/prove"
)

// Prove runs trials and prints how often verdicts are wrong.
func Prove(flags *flag.FlagSet) cli.Action {
	var s trial.Series
	flags.IntVar(&s.Same, "same", proveSame, "`number` of trials of a server against itself")
	flags.IntVar(&s.Edits, "edits", proveEdits, "`number` of trials with an edit that changes nothing")
	flags.IntVar(&s.Each, "trials", proveEach, "`number` of trials of each injected size, or of each patch")
	servers := flags.String("servers", strings.Join(trial.Servers, ","), "`servers` or workloads that take turns, separated by commas, or all. Sizes and edits are known for the default; others are compared with themselves")
	injected := flags.String("injected", "", "`sizes` of injected regressions in per cent, such as cpu=3,rss=5, of "+strings.Join(prove.Quantities, ", ")+" (default: one of five in each)")
	flags.StringVar(&s.PatchDir, "patches", "", "`directory` of patches, in place of the injected sizes: one trial with each, or with each of -servers. Other trials only if -same asks for some")
	flags.BoolVar(&s.Where, "where", false, "name the functions that changed, by perf, with -patches or other servers than the default")
	flags.StringVar(&s.Machines, "machines", "", "`file` that names a second machine, as in scripts/bench compare. Such trials need a directory of their own")
	flags.DurationVar(&s.Limit, "within", 0, "start no trial after this `duration`, such as 2h; the same command continues later")
	flags.Uint64Var(&s.Seed, "seed", 1, "`seed` of the order of trials")
	flags.Float64Var(&s.Neighbour, "neighbour", 0, "`share` of the machine that a simulated neighbour takes meanwhile, at random and in bursts, such as 0.5; 0 is none. Such trials have their own tables")
	flags.StringVar(&s.Dir, "o", proveDir, "`directory` of the trials; trials in it are not repeated")
	tables := flags.Bool("tables", false, "load nothing; print the tables of the trials so far")
	format := flags.String("format", "text", "one of "+strings.Join(report.TrialFormats(), ", "))
	build.Flag(flags)
	return func(ctx context.Context, files []string) error {
		if !slices.Contains(report.TrialFormats(), *format) {
			return cli.Usagef("prove: format %q: unknown; known are %s", *format, strings.Join(report.TrialFormats(), ", "))
		}
		if !(s.Neighbour >= 0 && s.Neighbour < 1) {
			return cli.Usagef("prove: neighbour %g: want a share of the machine, from 0 and below 1, such as 0.5", s.Neighbour)
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
		if err := planned(ctx, &s, flags, *servers, *injected); err != nil {
			return err
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

// planned completes a plan by servers and sizes. It sets what the command line does not say where only some trials are
// possible.
func planned(ctx context.Context, s *trial.Series, flags *flag.FlagSet, servers, injected string) (err error) {
	s.Servers = trial.Servers
	if cli.Given(flags, "servers") {
		if s.Servers, err = ranked(ctx, servers); err != nil {
			return err
		}
	}
	if s.Sized() {
		s.Sizes = prove.Combinations
		if injected != "" {
			size, err := prove.ParseSize(injected)
			if err != nil {
				return cli.UsageError{Err: err}
			}
			s.Sizes = []prove.Size{size}
		}
		return nil
	}
	impossible := []string{"edits", "injected", "neighbour"}
	if s.PatchDir == "" {
		impossible = append(impossible, "trials")
	}
	for _, name := range impossible {
		if cli.Given(flags, name) {
			return cli.Usagef("prove: -%s: has no effect with -patches, with -machines or with other servers than %s; leave one of them out", name, strings.Join(trial.Servers, ", "))
		}
	}
	s.Edits = 0
	if s.PatchDir == "" {
		return nil
	}
	if !cli.Given(flags, "servers") {
		s.Servers = nil
	}
	if !cli.Given(flags, "trials") {
		s.Each = 1
	}
	if !cli.Given(flags, "same") {
		s.Same = 0
	}
	return nil
}

// ranked are the servers of a list that this machine can build, without references.
func ranked(ctx context.Context, list string) (servers []string, err error) {
	names := strings.Split(list, ",")
	if list == "all" {
		names = workload.Names()
	}
	if i := slices.IndexFunc(names, session.IsDirectory); i >= 0 {
		return nil, cli.Usagef("prove: server %q: a directory; want servers of this project, since trials change their code", names[i])
	}
	_, found, err := session.Buildable(ctx, names)
	if err != nil {
		return nil, err
	}
	for _, s := range found {
		if !s.Reference {
			servers = append(servers, s.ID().String())
		}
	}
	if len(servers) == 0 {
		return nil, cli.Usagef("prove: -servers %s: none that is ranked and that this machine can build; scripts/bench list has all", list)
	}
	return servers, nil
}

// printTrials prints the tables of the trials in a directory and in files.
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
