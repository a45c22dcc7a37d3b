package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"fairstream/scripts/internal/ci/alert"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
)

// Watchdog cancels this workflow run when no runner takes its jobs.
func Watchdog(flags *flag.FlagSet) cli.Action {
	patience := flags.Duration("patience", alert.Patience, "`time` in which a runner must take a job")
	return func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return cli.Usagef("watchdog: want one argument: the jobs that scripts/bench ci plan printed")
		}
		var jobs []plan.Job
		if err := json.Unmarshal([]byte(args[0]), &jobs); err != nil {
			return cli.Usagef("watchdog: the argument is not the jobs of scripts/bench ci plan: %w", err)
		}
		client, err := gitHub()
		if err != nil {
			return err
		}
		run, err := thisRun()
		if err != nil {
			return err
		}
		w := alert.Watchdog{
			Jobs:     func(ctx context.Context) ([]github.Job, error) { return client.RunJobs(ctx, run) },
			Cancel:   func(ctx context.Context) error { return client.CancelRun(ctx, run) },
			Patience: *patience,
			Say:      func(line string) { fmt.Fprintln(os.Stderr, "watchdog:", line) },
		}
		for _, job := range jobs {
			w.Names = append(w.Names, job.Name)
		}
		if err = w.Do(ctx); errors.Is(err, alert.Lost) {
			fmt.Fprintln(os.Stderr, "watchdog:", err)
			return cli.ErrFindings
		}
		return err
	}
}
