package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/comment"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/show/report"
)

func commentCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	text := flags.String("plan", "", "what scripts/bench plan `printed`")
	pastRef := flags.String("past-at", "origin/gh-pages", "as of pair; never what a leg says of it")
	return func(ctx context.Context, args []string) error {
		if len(args) > 1 {
			return none(args[1:])
		}
		p, err := plan.Parse(*text)
		if err != nil {
			return usageError{err}
		}
		if p.Kind != plan.Pull || p.Pull == 0 {
			fmt.Fprintln(os.Stderr, "comment: the plan is of no pull request; nothing to say")
			return nil
		}
		client, err := gitHub()
		if err != nil {
			return err
		}
		run, err := workflowRun(client.Repository)
		if err != nil {
			return err
		}
		body := comment.Placeholder(p, run)
		if len(args) == 1 {
			root, servers, err := project(nil)
			if err != nil {
				return err
			}
			legs, err := artifact.Read(args[0], p, servers)
			if err != nil {
				return err
			}
			past, err := pastAt(ctx, root, *pastRef)
			if err != nil {
				return err
			}
			table, err := benchstat(ctx, root, legs.All())
			if err != nil {
				// The answer does not need it.
				fmt.Fprintln(os.Stderr, "comment: without benchstat's table:", err)
			}
			body = comment.Answer(p, legs, verdict.FitPriors(past), table, run)
		}
		// What is newer has a comment of its own run to come.
		now, err := client.Pull(ctx, p.Pull)
		if err != nil {
			return err
		}
		if now.Head.SHA != p.Revision {
			fmt.Fprintf(os.Stderr, "comment: pull request %d is at %.40q now; what is about %s is not shown there\n", p.Pull, now.Head.SHA, p.Revision)
			return nil
		}
		return comment.Post(ctx, client, p.Pull, p.Revision, body)
	}
}

// workflowRun is the run that this command is a step of.
func workflowRun(repository string) (r comment.Run, err error) {
	if r.ID, err = env("GITHUB_RUN_ID"); err != nil {
		return r, err
	}
	server, err := env("GITHUB_SERVER_URL")
	if err != nil {
		return r, err
	}
	r.URL = fmt.Sprintf("%s/%s/actions/runs/%s", server, repository, r.ID)
	attempt, err := env("GITHUB_RUN_ATTEMPT")
	if err != nil {
		return r, err
	}
	if r.Attempt, err = strconv.Atoi(attempt); err != nil {
		return r, usageError{fmt.Errorf("GITHUB_RUN_ATTEMPT: %w; want a number", err)}
	}
	return r, nil
}

// benchstat is what benchstat prints about the metrics that have verdicts.
func benchstat(ctx context.Context, root string, records []record.Record) (string, error) {
	if len(records) == 0 {
		return "", errors.New("no records")
	}
	var lines bytes.Buffer
	if err := report.Write(&lines, "benchfmt", records); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "fairstream-benchstat-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir) // else the system removes it some day
	file := filepath.Join(dir, "pair.txt")
	if err := os.WriteFile(file, lines.Bytes(), 0o644); err != nil {
		return "", err
	}
	return process.Output(ctx, process.Command{Dir: filepath.Join(root, "scripts"), Args: []string{
		"go", "tool", "benchstat", "-col", "side@(base head)", "-alpha", fmt.Sprint(verdict.Alpha), "-row", "/server,/scenario",
		"-filter", judged(records), file,
	}})
}

// judged is benchstat's filter for the metrics that have verdicts, scenario by
// scenario.
func judged(records []record.Record) string {
	var parts []string
	for _, r := range records {
		var names []string
		for _, j := range verdict.Metrics(r.Scenario) {
			names = append(names, j.Metric)
		}
		part := fmt.Sprintf("(/scenario:%q AND .unit:(%s))", r.Scenario, strings.Join(names, " OR "))
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " OR ")
}
