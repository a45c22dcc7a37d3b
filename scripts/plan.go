package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"fairstream/scripts/github"
	"fairstream/scripts/load"
	"fairstream/scripts/plan"
	"fairstream/scripts/setup"
)

func planCommand(*flag.FlagSet) func(context.Context, []string) error {
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
		return made.WriteOutputs(os.Stdout)
	}
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
