package cmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"

	"fairstream/scripts/internal/ci/alert"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/cli"
)

// Alert opens an issue about each server that regressed on main.
func Alert(*flag.FlagSet) cli.Action {
	return func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return cli.Usagef("alert: want one argument: the notices that scripts/bench ci check printed")
		}
		notices, err := alert.Parse(args[0])
		if err != nil {
			return cli.Usagef("alert: the argument is not the notices of scripts/bench ci check: %w; check the output of the step that collects", err)
		}
		client, err := gitHub()
		if err != nil {
			return err
		}
		for _, issue := range notices.Issues {
			fmt.Fprintf(os.Stderr, "alert: %s\n", issue.Title)
		}
		err = notices.Post(ctx, client)
		if notices.Unread != "" { // somebody must look, after all else is said
			err = errors.Join(err, cli.Usagef("%s", notices.Unread))
		}
		return err
	}
}

// thisRun is the workflow run of this command.
func thisRun() (run github.Run, err error) {
	if run.Repository, err = cli.Env("GITHUB_REPOSITORY"); err != nil {
		return run, err
	}
	run.Repository = github.ServerURL() + "/" + run.Repository
	if run.ID, err = cli.Env("GITHUB_RUN_ID"); err != nil {
		return run, err
	}
	attempt, err := cli.Env("GITHUB_RUN_ATTEMPT")
	if err != nil {
		return run, err
	}
	if run.Attempt, err = strconv.Atoi(attempt); err != nil {
		return run, cli.Usagef("GITHUB_RUN_ATTEMPT: %w; want a number", err)
	}
	return run, nil
}
