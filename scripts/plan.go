package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/setup"
)

func planCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	ref := flags.String("history-at", "origin/gh-pages", "`revision` of the branch with what was published")
	return func(ctx context.Context, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		root, err := setup.Root()
		if err != nil {
			return err
		}
		path, err := env("GITHUB_EVENT_PATH")
		if err != nil {
			return err
		}
		event := plan.Event{Name: os.Getenv("GITHUB_EVENT_NAME"), Ref: os.Getenv("GITHUB_REF"), SHA: os.Getenv("GITHUB_SHA")}
		if event.JSON, err = os.ReadFile(path); err != nil {
			return err
		}
		at := plan.Place{Root: root, Default: defaultScenarios}
		if at.Scenarios, err = load.Scenarios(filepath.Join(root, "k6")); err != nil {
			return err
		}
		if at.GitHub, err = gitHub(); err != nil {
			return err
		}
		at.Published = func(ctx context.Context, commit string) ([]history.PublishedCommit, error) {
			return history.Published(ctx, root, *ref, commit, func(line string) { fmt.Fprintln(os.Stderr, "plan:", line) })
		}
		if at.Accepted, err = accepted(root); err != nil { // a red test says so too, and no run waits for it
			fmt.Fprintf(os.Stderr, "plan: %v; it accepts nothing until it is mended\n", err)
		}
		made, err := at.Make(ctx, event)
		if wrong, ok := errors.AsType[plan.InputError](err); ok {
			return usageError{wrong}
		}
		if err != nil {
			return err
		}
		if made.Say != "" {
			fmt.Fprintln(os.Stderr, "plan: nothing is loaded:", made.Say)
		}
		return made.WriteOutputs(stdout)
	}
}

// accepted are the commits, by server, from which on somebody accepted that it
// got worse. The error names the files that cannot be read; the others count.
func accepted(root string) (map[string][]string, error) {
	all, unread := accept.Read(filepath.Join(root, accept.Dir))
	since := map[string][]string{}
	for _, a := range all {
		for _, a := range accept.Valid([]accept.Ack{a}, a.Server, time.Now()) {
			since[a.Server] = append(since[a.Server], a.Since)
		}
	}
	return since, unread
}

// env is a variable that GitHub sets in every job.
func env(name string) (string, error) {
	if v := os.Getenv(name); v != "" {
		return v, nil
	}
	return "", usageError{fmt.Errorf("%s is not set; this command is a step of a workflow on GitHub", name)}
}

// gitHub is the repository that the workflow runs in.
func gitHub() (c github.Client, err error) {
	if c.API, err = env("GITHUB_API_URL"); err != nil {
		return c, err
	}
	c.Repository, err = env("GITHUB_REPOSITORY")
	c.Token = os.Getenv("GITHUB_TOKEN")
	return c, err
}
