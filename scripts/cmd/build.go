package cmd

import (
	"context"
	"flag"
	"fmt"
	"os"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
)

// Build builds servers and prints their versions.
func Build(flags *flag.FlagSet) cli.Action {
	build.Flag(flags)
	return func(ctx context.Context, args []string) error {
		_, servers, leave, err := lockServers(ctx, args)
		if err != nil {
			return err
		}
		defer leave()
		targets := session.Targets(ctx, servers)
		if err := session.Build(ctx, targets); err != nil {
			return err
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

// lockServers finds the servers of the arguments, and checks that the programs to build them are
// installed. It locks the checkout for this command until leave is called.
func lockServers(ctx context.Context, args []string) (root string, servers []server.Server, leave func(), err error) {
	if root, servers, err = session.Buildable(ctx, args); err != nil {
		return "", nil, nil, err
	}
	if err = build.Toolchains(ctx, servers); err != nil {
		return "", nil, nil, err
	}
	leave, err = session.LockCheckout(ctx, root)
	return root, servers, leave, err
}
