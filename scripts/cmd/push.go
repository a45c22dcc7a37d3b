package cmd

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"fairstream/scripts/internal/ci/collect"
	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/setup"
)

// History pushes the files of collect to the branch gh-pages.
func History(flags *flag.FlagSet) cli.Action {
	text := flags.String("plan", "", "`JSON` from scripts/bench plan")
	clone := cloneFlag(flags)
	return func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return cli.Usagef("history: want one directory that scripts/bench collect wrote")
		}
		p, err := mainPlan("history", *text)
		if err != nil {
			return err
		}
		root, err := setup.Root()
		if err != nil {
			return err
		}
		code := cmp.Or(*clone, root)
		to, err := remote(ctx, code)
		if err != nil {
			return err
		}
		this, err := thisRun()
		if err != nil {
			return err
		}
		run, lack, err := collect.Published(ctx, to, code, p, args[0], this)
		if err != nil {
			return err
		}
		pushed := func() { fmt.Fprintln(cli.Stdout, "pushed=true") } // for GITHUB_OUTPUT: the branch has the records
		tried, err := to.Publish(ctx, run, func(line string) { fmt.Fprintln(os.Stderr, line) })
		if broken, ok := errors.AsType[*history.Broken](err); ok {
			pushed()
			fmt.Fprintf(os.Stderr, "history: %s is kept, but another file cannot be read and was not updated: %v\n", run.Path, broken)
			return cli.ErrFindings
		}
		if err != nil {
			return err
		}
		pushed()
		fmt.Fprintf(os.Stderr, "history: %s is on %s (tries: %d)\n", run.Path, history.Branch, tried)
		if len(lack) > 0 {
			fmt.Fprintf(os.Stderr, "history: chart points are missing: %s has no entry of %.10s for %s; check the steps that run github-action-benchmark\n",
				collect.ChartsFile, p.Revision, strings.Join(lack, ", "))
			return cli.ErrFindings
		}
		return nil
	}
}
