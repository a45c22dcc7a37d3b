package cmd

import (
	"context"
	"flag"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/builder"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/measure/setup"
)

// Compare measures servers at two revisions in the same minutes, and judges.
func Compare(flags *flag.FlagSet) cli.Action {
	o := session.Options{Scenarios: record.Compare}
	c := compare.Comparison{Base: session.Side{Name: "base"}, Head: session.Side{Name: "head"}}
	flags.IntVar(&o.Rounds, "rounds", verdict.Rounds, "`number` of rounds at most; from 12 on, it may end after a third or two thirds of them")
	flags.BoolVar(&o.Quick, "quick", false, "shorten the load: shows that everything works, but the figures mean little")
	flags.IntVar(&o.SharedBy, "shared-by", 1, "`number` of servers that share the false-alarm rate of 1 %, such as all that a pull request changes")
	flags.BoolVar(&c.Same, "same", false, "also load servers whose two programs are identical; none should change")
	flags.Uint64Var(&o.Seed, "seed", 0, "`seed` of the order of slices; 0 draws one")
	flags.StringVar(&o.Placement, "placement", "", "cores, as in scripts/bench run")
	flags.StringVar(&o.Dir, "o", "", "`directory` for raw files and records (default raw/START); one of an interrupted comparison continues it")
	flags.StringVar(&c.Noise, "noise-history", compare.NoiseFile, "`file` with the noise history of this machine; this comparison is added to it")
	flags.StringVar(&c.NoiseAt, "noise-history-at", "", "`revision` with the noise history in "+compare.PublishedNoiseFile+"; it replaces -noise-history and is only read")
	flags.BoolVar(&c.Confirm, "confirm", false, "repeat the comparison of a server that regressed; only a regression in both stands")
	flags.BoolVar(&c.Bisect, "bisect", false, "when several commits changed a server that regressed, find the one, by halves")
	flags.DurationVar(&c.Wait, "wait", 0, "before each round that follows a discarded one, wait up to this `duration` for a quiet machine, such as 10m")
	flags.StringVar(&c.Base.Ref, "base", "main", "`revision` to compare with; the comparison uses its merge base with head")
	flags.StringVar(&c.Head.Ref, "head", "HEAD", "`revision` to judge")
	builder.Flag(flags)
	return func(ctx context.Context, names []string) (err error) {
		if c.Root, err = setup.Root(); err != nil {
			return err
		}
		return c.Revisions(ctx, o, names)
	}
}
