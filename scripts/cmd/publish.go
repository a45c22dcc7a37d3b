package cmd

import (
	"context"
	"flag"

	"fairstream/scripts/internal/ci/publish"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/setup"
)

// Publish makes the site of main's history and of runs of one's own.
func Publish(flags *flag.FlagSet) cli.Action {
	var o publish.Options
	flags.StringVar(&o.History, "history", "", "`revision` with runs/, or a directory that has it (default: origin/gh-pages or gh-pages, if there is one; none: without)")
	flags.StringVar(&o.To, "o", "", "`directory` for the site; one that publish wrote before is replaced")
	flags.StringVar(&o.Serve, "serve", "", "show the site at this `address` until Ctrl-C (default, without -o: "+publish.ServeAt+")")
	return func(ctx context.Context, files []string) error {
		root, err := setup.Root()
		if err != nil {
			return err
		}
		return publish.Site(ctx, root, o, files)
	}
}
