package cmd

import (
	"context"
	"flag"

	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
)

// Site makes the site from main's history and other runs.
func Site(flags *flag.FlagSet) cli.Action {
	var o branch.SiteOptions
	flags.StringVar(&o.Clone, "clone", "", "`directory` of a clone whose history is shown (default: this project)")
	flags.StringVar(&o.History, "history", "", "`revision` or directory with runs/ (default: refs/remotes/origin/gh-pages or refs/heads/gh-pages where it exists; none: no history)")
	flags.StringVar(&o.To, "o", "", "`directory` for the site; it replaces an older site")
	flags.StringVar(&o.Serve, "serve", "", "show the site at this `address` until Ctrl-C (default, without -o: "+branch.ServeAt+")")
	return func(ctx context.Context, files []string) error {
		root, err := build.Root()
		if err != nil {
			return err
		}
		return branch.Site(ctx, root, o, files)
	}
}
