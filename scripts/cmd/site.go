package cmd

import (
	"context"
	"flag"

	"fairstream/scripts/internal/ci/publish"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/setup"
)

// Publish makes the site from main's history and other runs.
func Publish(flags *flag.FlagSet) cli.Action {
	var o publish.Options
	flags.StringVar(&o.Clone, "clone", "", "`directory` of a clone whose history is shown (default: this project)")
	flags.StringVar(&o.History, "history", "", "`revision` or directory with runs/ (default: refs/remotes/origin/gh-pages or refs/heads/gh-pages where it exists; none: no history)")
	flags.StringVar(&o.To, "o", "", "`directory` for the site; it replaces an older site of publish")
	flags.StringVar(&o.Serve, "serve", "", "show the site at this `address` until Ctrl-C (default, without -o: "+publish.ServeAt+")")
	return func(ctx context.Context, files []string) error {
		root, err := setup.Root()
		if err != nil {
			return err
		}
		return publish.Site(ctx, root, o, files)
	}
}
