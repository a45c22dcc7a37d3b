package cmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"fairstream/scripts/internal/ci/alert"
	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/revision"
)

// Watch opens an issue when nothing was published for long.
func Watch(flags *flag.FlagSet) cli.Action {
	ref := flags.String("history-at", revision.OfOrigin(branch.Branch), "`revision` with the published history")
	return func(ctx context.Context, args []string) error {
		if err := cli.NoArguments(args); err != nil {
			return err
		}
		root, err := build.Root()
		if err != nil {
			return err
		}
		client, err := gitHub()
		if err != nil {
			return err
		}
		run, err := thisRun()
		if err != nil {
			return err
		}
		published, err := revision.LastChange(ctx, root, *ref, "runs")
		if err != nil {
			return err
		}
		if published.IsZero() {
			fmt.Fprintf(os.Stderr, "watch: nothing was published on %s yet; the first run starts the history\n", *ref)
		}
		waiting, err := client.WaitingJobs(ctx)
		if err != nil {
			return err
		}
		lines := alert.Silence(published, waiting, time.Now())
		if len(lines) == 0 {
			fmt.Fprintf(os.Stderr, "watch: all is well: the newest run is of %s; %d jobs wait for a runner\n", published.UTC().Format(time.DateTime), len(waiting))
			return alert.Note(ctx, client, alert.SilenceKey, "running", fmt.Sprintf("All is well again, as far as [this run](%s) can see.\n", run.URL()))
		}
		for _, line := range lines {
			fmt.Fprintln(os.Stderr, "watch:", line)
		}
		if err := alert.Raise(ctx, client, alert.Silent(lines, run)); err != nil {
			return errors.Join(errors.New("watch: cannot write the issue"), err)
		}
		return cli.ErrFindings
	}
}
