package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"fairstream/scripts/internal/ci/comment"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
)

// Servers prints which servers of another repository an event is about. The others pass at once.
func Servers(flags *flag.FlagSet) cli.Action {
	list := flags.String("servers", plan.Auto, "`directories` of servers, separated by commas or lines; auto finds them by their server.json")
	elsewhere := plan.Elsewhere{}
	flags.StringVar(&elsewhere.Base, "base", "", "branch, tag or full `hash` to compare with; empty is the base of the pull request")
	return func(ctx context.Context, args []string) error {
		if err := cli.NoArguments(args); err != nil {
			return err
		}
		event, err := startedBy()
		if err != nil {
			return err
		}
		if elsewhere.GitHub, err = gitHub(); err != nil {
			return err
		}
		elsewhere.Code = elsewhere.GitHub
		found, err := elsewhere.Find(ctx, event, *list)
		if wrong, ok := errors.AsType[plan.InputError](err); ok {
			return cli.UsageError{Err: wrong}
		}
		if err != nil {
			return err
		}
		if found.Say != "" {
			fmt.Fprintln(os.Stderr, "servers: nothing to compare:", found.Say)
		}
		touched := found.Touched
		if touched == nil {
			touched = []plan.Found{} // a matrix wants a list
		}
		line, err := json.Marshal(touched)
		if err != nil {
			return err
		}
		var refusal []byte
		if found.Refusal != nil {
			if refusal, err = json.Marshal(found.Refusal); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(cli.Stdout, "servers=%s\nrevision=%s\nbase=%s\nrefusal=%s\n", line, found.Revision, found.Base, refusal); err != nil {
			return err
		}
		for _, s := range found.Others {
			fmt.Fprintf(os.Stderr, "servers: %s is not touched\n", s.Directory)
		}
		if !found.Trusted || len(found.Others) == 0 {
			return nil
		}
		run, err := thisRun()
		if err != nil {
			return err
		}
		return comment.SetStatuses(ctx, elsewhere.GitHub, found.Revision, comment.Passing(found.Others, event.Name, run))
	}
}
