package cmd

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
)

// Push pushes the files of check to the branch gh-pages.
func Push(flags *flag.FlagSet) cli.Action {
	text := flags.String("plan", "", "`JSON` from scripts/bench ci plan")
	clone := cloneFlag(flags)
	return func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return cli.Usagef("push: want one directory that scripts/bench ci check wrote")
		}
		p, err := mainPlan("push", *text)
		if err != nil {
			return err
		}
		root, err := build.Root()
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
		run, lack, err := branch.NewRun(ctx, to, code, p, args[0], this)
		if err != nil {
			return err
		}
		pushed := func() { fmt.Fprintln(cli.Stdout, "pushed=true") } // for GITHUB_OUTPUT: the branch has the records
		tried, err := to.Publish(ctx, run, func(line string) { fmt.Fprintln(os.Stderr, line) })
		if broken, ok := errors.AsType[*branch.Broken](err); ok {
			pushed()
			fmt.Fprintf(os.Stderr, "push: %s is kept, but another file cannot be read and was not updated: %v\n", run.Path, broken)
			return cli.ErrFindings
		}
		if err != nil {
			return err
		}
		pushed()
		fmt.Fprintf(os.Stderr, "push: %s is on %s (tries: %d)\n", run.Path, branch.Branch, tried)
		if len(lack) > 0 {
			fmt.Fprintf(os.Stderr, "push: chart points are missing: %s has no entry of %.10s for %s; check the steps that run github-action-benchmark\n",
				branch.ChartsFile, p.Revision, strings.Join(lack, ", "))
			return cli.ErrFindings
		}
		return nil
	}
}
