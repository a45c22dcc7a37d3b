package cmd

import (
	"context"
	"flag"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/measure/setup"
)

// Compare measures servers at two revisions in the same minutes, and judges.
func Compare(flags *flag.FlagSet) cli.Action {
	o := session.Options{Scenarios: record.Compare}
	c := compare.Comparison{Base: session.Side{Name: "base"}, Head: session.Side{Name: "head"}}
	flags.IntVar(&o.Rounds, "rounds", verdict.Rounds, "rounds at most; from 12 on it ends after a third or two thirds of them when all is decided")
	flags.BoolVar(&o.Quick, "quick", false, "shorten the load: shows that all works, measures little")
	flags.BoolVar(&c.Same, "same", false, "load a server also where both sides are the same program: nothing should be found")
	flags.Uint64Var(&o.Seed, "seed", 0, "of the order of slices; 0 draws one")
	flags.StringVar(&o.Placement, "placement", "", "as of run")
	flags.StringVar(&o.Dir, "o", "", "`directory` for raw files and records (default raw/START); with those of a comparison that was interrupted, it goes on")
	flags.StringVar(&c.Noise, "noise-history", compare.NoiseFile, "`file` of how much earlier comparisons on this machine scattered; this one is added to it")
	flags.StringVar(&c.NoiseAt, "noise-history-at", "", "`revision` with such a file, "+compare.PublishedNoiseFile+", which is read in place of -noise history and not added to; without one nothing is known of earlier comparisons")
	flags.BoolVar(&c.Confirm, "confirm", false, "load what regressed once more, from new processes on: only what both say has regressed")
	flags.BoolVar(&c.Bisect, "bisect", false, "when several commits changed a server that regressed, find out which it was, by halves")
	flags.StringVar(&c.Base.Ref, "base", "main", "`revision` to compare with; it is where head left it that counts")
	flags.StringVar(&c.Head.Ref, "head", "HEAD", "`revision` in question")
	return func(ctx context.Context, names []string) (err error) {
		if c.Root, err = setup.Root(); err != nil {
			return err
		}
		return c.Revisions(ctx, o, names)
	}
}
