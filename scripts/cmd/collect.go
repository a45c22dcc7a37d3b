package cmd

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"fairstream/scripts/internal/ci/alert"
	"fairstream/scripts/internal/ci/collect"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/session"
)

// Collect turns artifacts into accepted records, chart points, verdicts and notices.
func Collect(flags *flag.FlagSet) cli.Action {
	text := flags.String("plan", "", "`JSON` from scripts/bench plan")
	out := flags.String("o", "collected", "`directory` for "+collect.Files)
	noiseHistoryRef := flags.String("noise-history-at", revision.OfOrigin(history.Branch), "`revision` with the noise history")
	return func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return cli.Usagef("collect: want one directory of artifacts, still zipped as downloaded")
		}
		job := collect.Job{Artifacts: args[0], Out: *out, NoiseHistoryAt: *noiseHistoryRef, Say: func(line string) { fmt.Fprintln(os.Stderr, "collect:", line) }}
		var err error
		if job.Plan, err = mainPlan("collect", *text); err != nil {
			return err
		}
		if job.Root, _, err = session.Servers(nil); err != nil {
			return err
		}
		job.Remote = func(ctx context.Context) (history.Remote, error) { return remote(ctx, job.Root) }
		var run github.Run
		if len(job.Plan.Comparisons) > 0 {
			if run, err = thisRun(); err != nil {
				return err
			}
		}
		job.Run = run.ID
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
			fmt.Fprintln(os.Stderr, "collect: no record was accepted; check the jobs that load the servers")
			return cli.ErrFindings
		}
		return nil
	}
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

// remote is origin of the checkout, with the credentials that GitHub gives a job.
func remote(ctx context.Context, root string) (r history.Remote, err error) {
	r.Token, r.Server = os.Getenv("GITHUB_TOKEN"), github.ServerURL()
	r.URL, err = history.Origin(ctx, root)
	return r, err
}
