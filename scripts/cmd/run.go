package cmd

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"strings"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/measure/setup"
	"fairstream/scripts/internal/workload"
)

// runRounds is how often run loads everything: fresh processes differ from each
// other, and one round would not show by how much.
const runRounds = 3

// Run measures servers and prints a table.
func Run(flags *flag.FlagSet) cli.Action {
	var o session.Options
	flags.StringVar(&o.Scenarios, "scenario", strings.Join(workload.All[0].ScenarioNames(), ","), "`scenarios`, separated by commas")
	flags.IntVar(&o.Rounds, "rounds", runRounds, "how often everything is loaded, each time with fresh processes")
	flags.DurationVar(&o.Slice, "slice", 0, "`duration` of each slice where targets take slices, such as 250ms (default: as the scenario says)")
	flags.BoolVar(&o.Solo, "solo", false, "load each target alone, one after the other, as benchmarks often do; their figures are then minutes apart")
	loadFlags(flags, &o)
	at := flags.String("at", "", "load the servers as they are at this `revision`, with the harness of this checkout")
	return func(ctx context.Context, names []string) error {
		if *at != "" {
			return runAt(ctx, o, names, *at)
		}
		root, servers, err := session.Servers(names)
		if err != nil {
			return err
		}
		s, err := session.New(root, o)
		if err != nil {
			return err
		}
		done, err := s.Begin(ctx)
		if err != nil {
			return err
		}
		defer done()
		if len(servers) == 0 {
			return errors.New("run: no servers: servers/ is empty")
		}
		return s.Measure(ctx, session.Targets(ctx, servers))
	}
}

// loadFlags declares the flags of all that loads.
func loadFlags(flags *flag.FlagSet, o *session.Options) {
	flags.DurationVar(&o.Load, "for", 0, "`duration` of each level side by side, such as 30s (default: as the scenario says)")
	flags.StringVar(&o.Placement, "placement", "", "shared: all cores for all; split: half for k6 and the stub, half for servers (default: split from 4 cores on)")
	flags.BoolVar(&o.Quick, "quick", false, "shorten every scenario: shows that all works, measures little")
	flags.Uint64Var(&o.Seed, "seed", 0, "of the order of slices; 0 draws one")
	flags.StringVar(&o.Dir, "o", "", "`directory` for raw files and records (default raw/START)")
}

// runAt measures servers as they are at a revision, all that it has without names.
func runAt(ctx context.Context, o session.Options, names []string, ref string) error {
	root, err := setup.Root()
	if err != nil {
		return err
	}
	if ref, err = revision.Resolve(ctx, root, ref); err != nil {
		return cli.UsageError{Err: err}
	}
	servers, err := session.Named(ctx, root, names, ref)
	if err != nil {
		return err
	}
	s, err := session.New(root, o)
	if err != nil {
		return err
	}
	done, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	if len(servers) == 0 {
		if servers, err = revision.Servers(ctx, root, ref); err != nil {
			return err
		}
	}
	targets, release, err := session.Checkout(ctx, root, servers, []session.Side{{Ref: ref}})
	if err != nil {
		return err
	}
	err = s.Measure(ctx, targets)
	return cmp.Or(err, release())
}
