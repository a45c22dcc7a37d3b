package cmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/comment"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// Comment writes the comment under a pull request, and a commit status for each server.
func Comment(flags *flag.FlagSet) cli.Action {
	text := flags.String("plan", "", "`JSON` from scripts/bench ci plan")
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
		if p.Run != "" { // another run measured
			run.ID, run.Attempt = p.Run, p.Attempt
		}
		if p.Reply {
			return client.CreateComment(ctx, p.Pull, fmt.Sprintf("**Not measured**: %s.\n", p.Say))
		}
		var body string
		var statuses []github.Status
		var failed error
		if len(args) == 0 || p.Directory != "" && len(p.Servers) == 0 {
			body, statuses, failed = announce(p, run)
		} else if body, statuses, failed = judged(ctx, args[0], p, run); failed != nil {
			statuses = comment.Failed(p, run) // none stays pending
		}
		// A status belongs to its commit, whether that is still the newest or not.
		unset := comment.SetStatuses(ctx, client, p.Revision, statuses)
		if failed != nil {
			return errors.Join(failed, unset)
		}
		// A newer revision gets the comment of its own run.
		now, err := client.Pull(ctx, p.Pull)
		if err != nil {
			return errors.Join(err, unset)
		}
		if now.Head.SHA != p.Revision {
			fmt.Fprintf(os.Stderr, "comment: pull request %d is at %.40q now, so the comment about %s is not posted\n", p.Pull, now.Head.SHA, p.Revision)
			return unset
		}
		return errors.Join(comment.Post(ctx, client, p.Pull, p.Revision, body), unset)
	}
}

// announce is the comment, and the statuses, before the comparisons run.
func announce(p plan.Plan, run github.Run) (body string, statuses []github.Status, err error) {
	_, servers, err := session.Servers(nil)
	if err != nil {
		return "", nil, err
	}
	var main []workload.Server
	if p.Directory != "" {
		servers = nil // they are of another repository
	}
	for _, s := range servers {
		main = append(main, s.ID())
	}
	return comment.Placeholder(p, run), comment.Pending(p, main, run), nil
}

// judged is the comment, and the statuses, about the artifacts in a directory.
func judged(ctx context.Context, artifacts string, p plan.Plan, run github.Run) (body string, statuses []github.Status, err error) {
	root, servers, err := session.Servers(nil)
	if err != nil {
		return "", nil, err
	}
	this, err := uploader(ctx, root, run)
	if err != nil {
		return "", nil, err
	}
	if p.Run != "" { // the pull request chose the version of its workflow
		this.Commit, this.Made = "", p.Began
	}
	uploads, err := artifact.Read(artifacts, p, servers, this)
	if err != nil {
		return "", nil, err
	}
	table, err := comment.Benchstat(ctx, root, uploads.All())
	if err != nil {
		// The comment does not need it.
		fmt.Fprintln(os.Stderr, "comment: benchstat failed, so its table is left out:", err)
	}
	answers := comment.Judge(uploads)
	return comment.Answer(p, uploads, answers, table, run), comment.Statuses(p, answers, run), nil
}
