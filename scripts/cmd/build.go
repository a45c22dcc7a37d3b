package cmd

import (
	"context"
	"flag"
	"fmt"
	"os"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/measure/setup"
)

// Build builds servers and asks for their versions.
func Build(*flag.FlagSet) cli.Action {
	return func(ctx context.Context, args []string) error {
		root, servers, err := session.Servers(args)
		if err != nil {
			return err
		}
		if err := setup.Toolchains(servers); err != nil {
			return err
		}
		leave, err := session.LockCheckout(ctx, root)
		if err != nil {
			return err
		}
		defer leave()
		targets := session.Targets(ctx, servers)
		session.Build(ctx, targets)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var found error
		for _, t := range targets {
			if t.Broken != nil {
				found = cli.ErrFindings
				fmt.Fprintln(os.Stderr, "bench:", t.Broken)
			}
		}
		return found
	}
}
