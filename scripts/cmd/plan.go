package cmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/revision"
)

// Plan prints what to load for the event that started a workflow.
func Plan(flags *flag.FlagSet) cli.Action {
	ref := flags.String("history-at", revision.OfOrigin(branch.Branch), "`revision` with the published history")
	elsewhere := plan.Elsewhere{}
	flags.StringVar(&elsewhere.Directory, "server", "", "`directory` of the server in the repository that called the workflow, such as services/chat")
	flags.StringVar(&elsewhere.Name, "name", "", "with -server: `name` of the server; empty is that of its directory")
	flags.StringVar(&elsewhere.Base, "base", "", "with -server: branch, tag or full `hash` to compare with; empty is the base of the pull request")
	flags.StringVar(&elsewhere.Revision, "revision", "", "with -server, after a comment: full `hash` that ci servers found")
	flags.IntVar(&elsewhere.Rounds, "rounds", verdict.Rounds, "with -server: `number` of rounds at most")
	flags.BoolVar(&elsewhere.Quick, "quick", false, "with -server: shorten the load")
	clone := flags.String("clone", "", "with -server: `directory` of a clone to read revisions from; without it, GitHub is asked")
	publish := flags.Bool("publish", false, "with -clone: plan a commit of the default branch, for the history of that repository")
	return func(ctx context.Context, args []string) error {
		if err := cli.NoArguments(args); err != nil {
			return err
		}
		root, err := build.Root()
		if err != nil {
			return err
		}
		event, err := startedBy()
		if err != nil {
			return err
		}
		say := func(line string) { fmt.Fprintln(os.Stderr, "plan:", line) }
		if *publish && (elsewhere.Directory == "" || *clone == "") {
			return cli.Usagef("plan: -publish wants -server and -clone")
		}
		if elsewhere.Directory != "" {
			if elsewhere.GitHub, err = gitHub(); err != nil {
				return err
			}
			elsewhere.Code = elsewhere.GitHub
			if *clone != "" {
				elsewhere.Code = revision.Clone(*clone)
			}
			if *publish {
				elsewhere.Published = func(ctx context.Context, commit string) ([]plan.PublishedCommit, error) {
					return branch.Published(ctx, *clone, *ref, commit, say)
				}
			}
			made, err := elsewhere.Make(ctx, event)
			return printed(made, err)
		}
		at := plan.Place{Root: root, Note: say}
		if at.GitHub, err = gitHub(); err != nil {
			return err
		}
		if at.People, err = plan.ReadPeople(root); err != nil {
			return cli.UsageError{Err: err}
		}
		at.Published = func(ctx context.Context, commit string) ([]plan.PublishedCommit, error) {
			return branch.Published(ctx, root, *ref, commit, say)
		}
		at.Events = func(ctx context.Context, commit string) ([]verdict.Event, error) {
			return branch.Events(ctx, root, *ref, commit, say)
		}
		if at.Accepted, err = accept.Levels(root, time.Now()); err != nil { // a red test says so too, and no run waits for it
			fmt.Fprintf(os.Stderr, "plan: %v; it accepts nothing until you fix it\n", err)
		}
		made, err := at.Make(ctx, event)
		return printed(made, err)
	}
}

// printed prints a plan in the form of a step's outputs.
func printed(made plan.Plan, err error) error {
	if wrong, ok := errors.AsType[plan.InputError](err); ok {
		return cli.UsageError{Err: wrong}
	}
	if err != nil {
		return err
	}
	if made.Say != "" {
		fmt.Fprintln(os.Stderr, "plan: nothing to load:", made.Say)
	}
	return made.WriteOutputs(cli.Stdout)
}

// startedBy is the event that started the workflow.
func startedBy() (e plan.Event, err error) {
	path, err := cli.Env("GITHUB_EVENT_PATH")
	if err != nil {
		return e, err
	}
	e = plan.Event{Name: os.Getenv("GITHUB_EVENT_NAME"), Ref: os.Getenv("GITHUB_REF"), SHA: os.Getenv("GITHUB_SHA"), Actor: os.Getenv("GITHUB_TRIGGERING_ACTOR")}
	e.JSON, err = os.ReadFile(path)
	return e, err
}

// gitHub is the repository that the workflow runs in.
func gitHub() (c github.Client, err error) {
	if c.API, err = cli.Env("GITHUB_API_URL"); err != nil {
		return c, err
	}
	c.Repository, err = cli.Env("GITHUB_REPOSITORY")
	c.Token = os.Getenv("GITHUB_TOKEN")
	return c, err
}
