package cmd

import (
	"context"
	"flag"
	"fmt"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/rank"
)

// Equal compares machines by what the same servers cost on each.
func Equal(*flag.FlagSet) cli.Action {
	return func(_ context.Context, args []string) error {
		if len(args) != 1 {
			return cli.Usagef("ci equal: %d arguments; want the directory of the artifacts", len(args))
		}
		machines, err := artifact.Machines(args[0])
		if err != nil {
			return err
		}
		all, err := rank.Likenesses(machines)
		if err != nil {
			return err
		}
		unequal := 0
		fmt.Fprint(cli.Stdout, "CPU time per request, as a ratio to the other machines:\n\n| runner | of | change | rounds | |\n|---|---|---|--:|---|\n")
		for _, l := range all {
			says := "not known yet: more rounds make the interval narrower"
			switch {
			case l.Equal():
				says = "equal"
			case l.Different():
				says = "another machine: leave it out"
			}
			if !l.Equal() {
				unequal++
			}
			fmt.Fprintf(cli.Stdout, "| %s | %s | %+.2f %% (%+.2f to %+.2f) | %d | %s |\n", artifact.Harmless(l.Machine), l.Of, 100*l.Change, 100*l.Low, 100*l.High, l.Rounds, says)
		}
		if unequal > 0 {
			return cli.ErrFindings
		}
		return nil
	}
}
