package cmd

import (
	"context"
	"flag"
	"fmt"
	"os"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/measure/setup"
	"fairstream/scripts/internal/measure/verify"
)

// Verify checks servers against the contract.
func Verify(flags *flag.FlagSet) cli.Action {
	asJSON := flags.Bool("json", false, "print every check's result as JSON Lines")
	only := flags.String("only", "", "run these `checks` only, such as header,lock-step")
	return func(ctx context.Context, args []string) error {
		checks, err := verify.Choose(*only)
		if err != nil {
			return cli.UsageError{Err: err}
		}
		root, servers, leave, err := lockServers(ctx, args)
		if err != nil {
			return err
		}
		defer leave()
		targets := session.Targets(ctx, servers)
		if err := session.Build(ctx, targets, setup.Stub(root)); err != nil {
			return err
		}
		results, err := session.Verify(ctx, root, targets, checks)
		if err != nil {
			return err
		}
		var found error
		for i, t := range targets {
			switch {
			case t.Broken != nil && results[i] == nil: // not built
				fmt.Fprintln(os.Stderr, "bench:", t.Broken)
			case *asJSON:
				verify.WriteJSON(cli.Stdout, t.Server.ID(), results[i])
			default:
				verify.WriteText(cli.Stdout, t.Server.ID(), results[i])
			}
			if t.Broken != nil {
				found = cli.ErrFindings
			}
		}
		return found
	}
}
