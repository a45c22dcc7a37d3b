package cmd

import (
	"context"
	"flag"
	"fmt"
	"os"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/session"
)

// Setup installs and builds the tools of a run.
func Setup(flags *flag.FlagSet) cli.Action {
	tests := flags.Bool("tests", false, "also install the tools of the tests: Chromium, nft and shellcheck")
	return func(ctx context.Context, args []string) error {
		if err := cli.NoArguments(args); err != nil {
			return err
		}
		root, servers, err := session.Buildable(ctx, nil)
		if err != nil {
			return err
		}
		leave, err := session.LockCheckout(ctx, root)
		if err != nil {
			return err
		}
		defer leave()
		if _, err = session.SetUp(ctx, root, servers, nil); err != nil {
			return err
		}
		session.Pages(ctx, root)
		if !*tests {
			return ctx.Err()
		}
		return build.ForTests(ctx, func(step string) { fmt.Fprintln(os.Stderr, step) })
	}
}
