package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"fairstream/scripts/internal/ci/alert"
	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/revision"
)

// Check turns artifacts into accepted records, chart points, verdicts and notices.
func Check(flags *flag.FlagSet) cli.Action {
	text := flags.String("plan", "", "`JSON` from scripts/bench ci plan")
	out := flags.String("o", "collected", "`directory` for "+branch.Files)
	clone := cloneFlag(flags)
	return func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return cli.Usagef("check: want one directory of artifacts, still zipped as downloaded")
		}
		job := branch.Job{Artifacts: args[0], Out: *out, Say: func(line string) { fmt.Fprintln(os.Stderr, "check:", line) }}
		var err error
		if job.Plan, err = mainPlan("check", *text); err != nil {
			return err
		}
		root, err := build.Root()
		if err != nil {
			return err
		}
		job.Code = cmp.Or(*clone, root)
		job.Remote = func(ctx context.Context) (branch.Remote, error) { return remote(ctx, job.Code) }
		run, err := thisRun()
		if err != nil {
			return err
		}
		if job.Run, err = uploader(ctx, root, run); err != nil {
			return err
		}
		done, failed := job.Do(ctx)
		var notices alert.Notices
		if !job.Plan.Quick { // shortened load measures little
			notices = alert.NewNotices(done.Verdicts, done.Unread, run)
		}
		said, err := json.Marshal(notices)
		if err != nil {
			return err
		}
		fmt.Fprintf(cli.Stdout, "records=%t\nbigger=%t\nsmaller=%t\nnotices=%s\n", done.Recorded, done.Bigger, done.Smaller, said)
		if failed != nil {
			return failed
		}
		if done.Accepted == 0 {
			fmt.Fprintln(os.Stderr, "check: no record was accepted; check the jobs that load the servers")
			return cli.ErrFindings
		}
		return nil
	}
}

// cloneFlag declares the clone of another repository, whose history is written.
func cloneFlag(flags *flag.FlagSet) *string {
	return flags.String("clone", "", "`directory` of a clone, if the server of the plan is in another repository")
}

// mainPlan reads a plan for the history, which holds commits of main only.
func mainPlan(command, text string) (plan.Plan, error) {
	p, err := plan.Parse(text)
	if err != nil {
		return p, cli.Usagef("%s: -plan: %w", command, err)
	}
	if p.Kind != plan.Main {
		return p, cli.Usagef("%s: the plan is of kind %s; want %s, because the history holds no measurements of pull requests", command, p.Kind, plan.Main)
	}
	return p, nil
}

// uploader is this workflow run, as artifacts are held to it. A commit with a time in the future has no lower
// bound, since its author's clock was wrong.
func uploader(ctx context.Context, root string, run github.Run) (artifact.Run, error) {
	u := artifact.Run{ID: run.ID, Attempt: run.Attempt, Now: time.Now()}
	var err error
	if u.Commit, err = revision.Resolve(ctx, root, "HEAD"); err != nil {
		return u, err
	}
	if u.Made, err = revision.Time(ctx, root, u.Commit); u.Made.After(u.Now) {
		u.Made = time.Time{}
	}
	return u, err
}

// remote is origin of the checkout, with the credentials that GitHub gives a job.
func remote(ctx context.Context, root string) (r branch.Remote, err error) {
	r.Token, r.Server = os.Getenv("GITHUB_TOKEN"), github.ServerURL()
	r.URL, err = branch.Origin(ctx, root)
	return r, err
}
