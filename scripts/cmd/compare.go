package cmd

import (
	"context"
	"flag"
	"strconv"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/session"
)

// Compare measures servers at two revisions in the same minutes, and judges.
func Compare(flags *flag.FlagSet) cli.Action {
	o := session.Options{Scenarios: record.Compare}
	c := compare.Comparison{Base: session.Side{Name: "base"}, Head: session.Side{Name: "head"}}
	comparisonFlags(flags, &o)
	flags.BoolVar(&o.Once, "once", false, "judge once, after all rounds, so that an early end makes no change look larger than it is")
	flags.IntVar(&o.SharedBy, "shared-by", 1, "`number` of servers that share the false-alarm rate of 1 %, such as all that a pull request changes")
	flags.BoolVar(&c.Same, "same", false, "also load servers whose two programs are identical; none should change")
	flags.Uint64Var(&o.Seed, "seed", 0, "`seed` of the order of slices; 0 draws one")
	flags.BoolVar(&c.Confirm, "confirm", false, "repeat the comparison of a server that regressed; only a regression in both stands")
	flags.BoolVar(&c.Bisect, "bisect", false, "when several commits changed a server that regressed, find the one, by halves")
	never := false
	flags.BoolFunc("where", "name the functions that changed, by perf. Without it that is done where CPU time or throughput changed, and with -where=false never", func(text string) (err error) {
		c.Where, err = strconv.ParseBool(text)
		never = !c.Where
		return err
	})
	flags.DurationVar(&c.Wait, "wait", 0, "before each round that follows a discarded one, wait up to this `duration` for a quiet machine, such as 10m")
	flags.BoolVar(&c.Verbose, "v", false, "say of each discarded round why")
	flags.StringVar(&c.Name, "name", "", "`name` of the server in one directory elsewhere; empty is that of the directory")
	flags.StringVar(&c.Endpoint, "endpoint", "", "also show the distribution of the requests of this `name` on both sides, such as 'GET /search'")
	flags.StringVar(&c.Base.Ref, "base", "main", "`revision` to compare with, or a release such as hono@4.12.0; of a revision, its merge base with head is used")
	flags.StringVar(&c.Head.Ref, "head", "HEAD", "`revision` or release to judge")
	return func(ctx context.Context, names []string) (err error) {
		c.Changed = !o.Quick && !never
		if c.Root, err = build.Root(); err != nil {
			return err
		}
		return c.Revisions(ctx, o, names)
	}
}

// comparisonFlags declares how each comparison of a command is loaded, and where its files are.
func comparisonFlags(flags *flag.FlagSet, o *session.Options) {
	flags.IntVar(&o.Rounds, "rounds", verdict.Rounds, "`number` of rounds at most, without repeated ones; it may end after 4, and after every second one after that")
	flags.DurationVar(&o.Within, "within", 0, "limit the load of a comparison to a `duration`, such as 4m. The first round says how many rounds fit: at least 4, and at most those of -rounds. Builds and functions take more")
	flags.BoolVar(&o.Quick, "quick", false, "shorten the load: shows that everything works, but the figures mean little")
	flags.StringVar(&o.Placement, "placement", "", "cores, as in scripts/bench run")
	flags.StringVar(&o.Machines, "machines", "", "`file` that names a second machine for k6 and the stub; see scripts/internal/measure/machines")
	flags.StringVar(&o.Dir, "o", "", "`directory` for raw files and records (default raw/START); that of an interrupted command continues it")
	build.Flag(flags)
}
