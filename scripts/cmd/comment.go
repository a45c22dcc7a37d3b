package cmd

import (
	"context"
	"flag"
	"fmt"
	"os"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/comment"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/session"
)

// Comment writes the comment under a pull request.
func Comment(flags *flag.FlagSet) cli.Action {
	text := flags.String("plan", "", "what scripts/bench plan `printed`")
	pastRef := flags.String("past-at", "origin/gh-pages", "as of pair; never what a leg says of it")
	return func(ctx context.Context, args []string) error {
		if len(args) > 1 {
			return cli.NoArguments(args[1:])
		}
		p, err := plan.Parse(*text)
		if err != nil {
			return cli.UsageError{Err: err}
		}
		if p.Kind != plan.Pull || p.Pull == 0 {
			fmt.Fprintln(os.Stderr, "comment: the plan is of no pull request; nothing to say")
			return nil
		}
		client, err := gitHub()
		if err != nil {
			return err
		}
		run, err := thisRun()
		if err != nil {
			return err
		}
		body := comment.Placeholder(p, run)
		if len(args) == 1 {
			root, servers, err := session.Servers(nil)
			if err != nil {
				return err
			}
			legs, err := artifact.Read(args[0], p, servers)
			if err != nil {
				return err
			}
			past, err := compare.PublishedNoise(ctx, root, *pastRef)
			if err != nil {
				return err
			}
			table, err := comment.Benchstat(ctx, root, legs.All())
			if err != nil {
				// The answer does not need it.
				fmt.Fprintln(os.Stderr, "comment: without benchstat's table:", err)
			}
			body = comment.Answer(p, legs, verdict.FitPriors(past), table, run)
		}
		// What is newer has a comment of its own run to come.
		now, err := client.Pull(ctx, p.Pull)
		if err != nil {
			return err
		}
		if now.Head.SHA != p.Revision {
			fmt.Fprintf(os.Stderr, "comment: pull request %d is at %.40q now; what is about %s is not shown there\n", p.Pull, now.Head.SHA, p.Revision)
			return nil
		}
		return comment.Post(ctx, client, p.Pull, p.Revision, body)
	}
}
