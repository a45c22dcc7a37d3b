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
	text := flags.String("plan", "", "`JSON` from scripts/bench plan")
	noiseHistoryRef := flags.String("noise-history-at", "origin/gh-pages", "`revision` with the noise history; never taken from an artifact")
	return func(ctx context.Context, args []string) error {
		if len(args) > 1 {
			return cli.NoArguments(args[1:])
		}
		p, err := plan.Parse(*text)
		if err != nil {
			return cli.UsageError{Err: err}
		}
		if p.Kind != plan.Pull || p.Pull == 0 {
			fmt.Fprintln(os.Stderr, "comment: the plan is not of a pull request; no comment to write")
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
			uploads, err := artifact.Read(args[0], p, servers)
			if err != nil {
				return err
			}
			noiseHistory, err := compare.PublishedNoise(ctx, root, *noiseHistoryRef)
			if err != nil {
				return err
			}
			table, err := comment.Benchstat(ctx, root, uploads.All())
			if err != nil {
				// The comment does not need it.
				fmt.Fprintln(os.Stderr, "comment: benchstat failed, so its table is left out:", err)
			}
			body = comment.Answer(p, uploads, verdict.FitPriors(noiseHistory), table, run)
		}
		// A newer revision gets the comment of its own run.
		now, err := client.Pull(ctx, p.Pull)
		if err != nil {
			return err
		}
		if now.Head.SHA != p.Revision {
			fmt.Fprintf(os.Stderr, "comment: pull request %d is at %.40q now, so the comment about %s is not posted\n", p.Pull, now.Head.SHA, p.Revision)
			return nil
		}
		return comment.Post(ctx, client, p.Pull, p.Revision, body)
	}
}
