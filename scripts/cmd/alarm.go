package cmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"fairstream/scripts/internal/ci/alert"
	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/session"
)

// Alarm opens an issue about each server of main that regressed.
func Alarm(flags *flag.FlagSet) cli.Action {
	text := flags.String("plan", "", "`JSON` that scripts/bench plan printed")
	pastRef := flags.String("past-at", "origin/gh-pages", "as of pair")
	return func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return cli.Usagef("alarm: want one directory of artifacts, as downloaded and still zipped")
		}
		p, err := mainPlan("alarm", *text)
		if err != nil {
			return err
		}
		if p.Quick {
			fmt.Fprintln(os.Stderr, "alarm: the load was shortened, which measures little; nothing is said")
			return nil
		}
		root, _, err := session.Servers(nil)
		if err != nil {
			return err
		}
		client, err := gitHub()
		if err != nil {
			return err
		}
		run, err := alarmRun(client)
		if err != nil {
			return err
		}
		servers, err := serversAt(ctx, root, p)
		if err != nil {
			return err
		}
		legs, err := artifact.Read(args[0], p, servers)
		if err != nil {
			return err
		}
		verdicts, _, unread, err := mainVerdicts(ctx, root, p, legs, *pastRef)
		if unread != nil { // somebody must look, after all else is said
			err = cli.UsageError{Err: unread}
		}
		for _, v := range verdicts {
			if v.Alarms() {
				fmt.Fprintf(os.Stderr, "alarm: %s regressed\n", v.Server)
				err = errors.Join(err, alert.Raise(ctx, client, alert.Regressed(v, run)))
			} else if kind, text := alert.Calm(v, run); kind != "" {
				err = errors.Join(err, alert.Note(ctx, client, v.Server, kind, text))
			}
		}
		return err
	}
}

// alarmRun is the run that this command is a step of.
func alarmRun(c github.Client) (run alert.Run, err error) {
	run.Repository = github.ServerURL() + "/" + c.Repository
	run.ID, err = cli.Env("GITHUB_RUN_ID")
	return run, err
}
