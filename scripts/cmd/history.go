package cmd

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/ci/collect"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/session"
)

// History puts what collect wrote onto the branch gh-pages.
func History(flags *flag.FlagSet) cli.Action {
	text := flags.String("plan", "", "`JSON` that scripts/bench plan printed")
	return func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return cli.Usagef("history: want one directory, as written by scripts/bench collect")
		}
		p, err := mainPlan("history", *text)
		if err != nil {
			return err
		}
		root, _, err := session.Servers(nil)
		if err != nil {
			return err
		}
		to, err := remote(ctx, root)
		if err != nil {
			return err
		}
		run, lack, err := published(ctx, to, root, p, args[0])
		if err != nil {
			return err
		}
		pushed := func() { fmt.Fprintln(cli.Stdout, "pushed=true") } // for GITHUB_OUTPUT: the branch has the records
		tried, err := to.Publish(ctx, run, func(line string) { fmt.Fprintln(os.Stderr, line) })
		if broken, ok := errors.AsType[*history.Broken](err); ok {
			pushed()
			fmt.Fprintf(os.Stderr, "history: %s is kept, but a file beside it cannot be read, and got nothing from it: %v\n", run.Path, broken)
			return cli.ErrFindings
		}
		if err != nil {
			return err
		}
		pushed()
		fmt.Fprintf(os.Stderr, "history: %s is on %s (tries: %d)\n", run.Path, history.Branch, tried)
		if len(lack) > 0 {
			fmt.Fprintf(os.Stderr, "history: chart points are missing: %s has no entry of %.10s for %s; see the steps that run github-action-benchmark\n",
				chartsFile, p.Revision, strings.Join(lack, ", "))
			return cli.ErrFindings
		}
		return nil
	}
}

// published reads what collect wrote and what github-action-benchmark added to
// its charts. lack names the suites for which there are points, but no entry.
func published(ctx context.Context, to history.Remote, root string, p plan.Plan, dir string) (run history.Run, lack []string, err error) {
	id, err := cli.Env("GITHUB_RUN_ID")
	if err != nil {
		return run, nil, err
	}
	attempt, err := cli.Env("GITHUB_RUN_ATTEMPT")
	if err != nil {
		return run, nil, err
	}
	legs, err := collectedRecords(dir, session.RecordsFile)
	if err != nil {
		return run, nil, err
	}
	rank, err := collectedRecords(dir, rankFile)
	if err != nil {
		return run, nil, err
	}
	if run.Path, err = history.RunPath(slices.Concat(legs, rank), p.Revision, id, attempt); err != nil {
		return run, nil, cli.UsageError{Err: err}
	}
	if run.Legs, err = archive.Pack(archive.OfServers(legs)); err != nil {
		return run, nil, err
	}
	if run.Rank, err = archive.PackRank(rank); err != nil {
		return run, nil, err
	}
	if run.Flags, err = cli.ReadFile(filepath.Join(dir, flagsFile), archive.ReadFlags); err != nil {
		return run, nil, err
	}
	if run.Past, err = cli.ReadFile(filepath.Join(dir, addedFile), verdict.ReadPast); err != nil {
		return run, nil, err
	}
	drawn, err := os.ReadFile(filepath.Join(dir, drawnFile))
	if err != nil && !os.IsNotExist(err) {
		return run, nil, err
	}
	if run.Details, err = archive.PackDetails(drawn); err != nil {
		return run, nil, err
	}
	run.Message, run.Time = collect.Message(p, legs, rank, id, attempt), time.Now()
	if name := os.Getenv("GITHUB_REPOSITORY"); name != "" {
		run.RepoURL = github.ServerURL() + "/" + name
	}
	points := map[string][]history.Bench{}
	points[history.Bigger], points[history.Smaller] = collect.Points(legs)
	if len(points[history.Bigger])+len(points[history.Smaller]) == 0 {
		return run, nil, nil // collect said that there is nothing to chart
	}
	data, err := os.ReadFile(filepath.Join(dir, chartsFile))
	if err != nil && !os.IsNotExist(err) {
		return run, nil, err
	}
	charts, err := history.ParseChart(data)
	if err != nil { // what a foreign program wrote must not cost the records
		fmt.Fprintf(os.Stderr, "history: %s: %v\n", chartsFile, err)
	}
	at, timeErr := to.Time(ctx, root, p.Revision)
	if ctx.Err() != nil {
		return run, nil, ctx.Err()
	}
	run.Points = map[string]history.Entry{}
	for _, suite := range []string{history.Bigger, history.Smaller} {
		if len(points[suite]) == 0 {
			continue
		}
		entry, ok := charts.Last(suite, p.Revision)
		if !ok {
			lack = append(lack, suite)
			continue
		}
		entry.Benches = points[suite] // as they are, not as the alarm was shown them
		if timeErr == nil {
			entry.Commit.Timestamp = at // a push has the committer's time, the API the author's
		}
		run.Points[suite] = entry
	}
	return run, lack, nil
}

// collectedRecords are those in a file that collect wrote, or none.
func collectedRecords(dir, name string) ([]record.Record, error) {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, cli.Usagef("history: %w; want a directory that scripts/bench collect wrote", err)
	}
	records, err := record.Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("history: %s: %w", name, err)
	}
	return records, nil
}
