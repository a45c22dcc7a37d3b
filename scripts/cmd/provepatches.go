package cmd

import (
	"context"
	"errors"
	"flag"
	"slices"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/trial"
	"fairstream/scripts/internal/show/report"
)

// proveSamePatched is the default of -same with -patches.
const proveSamePatched = 4

// provePatches runs trials of patches and prints what they found.
func provePatches(ctx context.Context, flags *flag.FlagSet, s trial.PatchSeries, files []string, tables bool, format string) error {
	var other string
	for _, name := range []string{"edits", "injected", "neighbour", "trials"} {
		if cli.Given(flags, name) {
			other = name
		}
	}
	if !cli.Given(flags, "same") {
		s.Same = proveSamePatched
	}
	if other != "" {
		return cli.Usagef("prove: -%s: has no effect with -patches; leave one of them out", other)
	}
	if !slices.Contains(report.PatchFormats(), format) {
		return cli.Usagef("prove: format %q: not with -patches; known are %v", format, report.PatchFormats())
	}
	print := func(trials []prove.PatchTrial) error {
		for _, name := range files {
			more, err := cli.ReadFile(name, prove.ReadPatchTrials)
			if err != nil {
				return cli.Usagef("prove: %w; want files of trials that scripts/bench prove -patches wrote", err)
			}
			trials = append(trials, more...)
		}
		if len(trials) == 0 {
			return errors.New("prove: no trials yet; run scripts/bench prove -patches without -tables first")
		}
		return report.WritePatchTrials(cli.Stdout, format, trials)
	}
	return runTrials(ctx, s.Dir, tables, s.Read, s.Run, print)
}
