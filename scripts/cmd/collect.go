package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/collect"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/details"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// Files that collect writes and later steps of the workflow read.
const (
	rankFile    = "rank.jsonl"
	biggerFile  = "bigger.json"
	smallerFile = "smaller.json"
	chartsFile  = "charts.json"
	summaryFile = "summary.md"
	flagsFile   = "flags.json"
	addedFile   = "past.jsonl" // of how much the pairs scattered
	drawnFile   = "details.json"
)

// Collect turns artifacts into accepted records and chart points.
func Collect(flags *flag.FlagSet) cli.Action {
	text := flags.String("plan", "", "`JSON` that scripts/bench plan printed")
	out := flags.String("o", "collected", "`directory` for "+session.RecordsFile+", "+rankFile+", "+biggerFile+", "+smallerFile+", "+chartsFile+", "+flagsFile+", "+addedFile+", "+drawnFile+" and "+summaryFile)
	pastRef := flags.String("past-at", "origin/gh-pages", "as of pair")
	return func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return cli.Usagef("collect: want one directory of artifacts, as downloaded and still zipped")
		}
		p, err := mainPlan("collect", *text)
		if err != nil {
			return err
		}
		root, _, err := session.Servers(nil)
		if err != nil {
			return err
		}
		servers, err := serversAt(ctx, root, p)
		if err != nil {
			return err
		}
		result, err := artifact.Read(args[0], p, servers)
		if err != nil {
			return err
		}
		for _, r := range result.Refused {
			fmt.Fprintf(os.Stderr, "collect: refused: %s: %s\n", r.Artifact, r.Why)
		}
		for _, m := range result.Missing {
			fmt.Fprintln(os.Stderr, "collect: missing:", m)
		}
		c := collected{dir: *out}
		if err := c.clear(); err != nil {
			return err
		}
		legs := result.All()
		if len(legs)+len(result.Rank) > 0 {
			if err := c.records(legs, result.Rank); err != nil {
				return err
			}
		}
		if result.Details != nil {
			var text bytes.Buffer
			if err := details.Write(&text, *result.Details); err != nil {
				return err
			}
			if err := c.write(drawnFile, text.Bytes()); err != nil {
				return err
			}
		}
		note, suites, err := c.points(ctx, root, p, legs)
		if err != nil {
			return err
		}
		var summary strings.Builder
		if err := collect.Summary(&summary, p, result, note); err != nil {
			return err
		}
		verdicts, add, unread, err := mainVerdicts(ctx, root, p, result, *pastRef)
		if err != nil {
			return err
		}
		if unread != nil { // what was measured cannot be had again, an acknowledgement can
			fmt.Fprintf(os.Stderr, "collect: %v; it acknowledges nothing until it is mended\n", unread)
		}
		collect.WriteVerdicts(&summary, p, verdicts)
		if err := c.verdicts(verdicts, add); err != nil {
			return err
		}
		if err := c.write(summaryFile, []byte(summary.String())); err != nil {
			return err
		}
		fmt.Fprintf(cli.Stdout, "bigger=%t\nsmaller=%t\n", suites[biggerFile], suites[smallerFile])
		if len(legs)+len(result.Rank) == 0 {
			fmt.Fprintln(os.Stderr, "collect: no record was accepted; see the jobs that load the servers")
			return cli.ErrFindings
		}
		return nil
	}
}

// mainPlan reads a plan for the history, which has commits of main only.
func mainPlan(command, text string) (plan.Plan, error) {
	p, err := plan.Parse(text)
	if err != nil {
		return p, cli.Usagef("%s: -plan: %w", command, err)
	}
	if p.Kind != plan.Main {
		return p, cli.Usagef("%s: plan of kind %s; want %s: what a pull request measured does not enter the history", command, p.Kind, plan.Main)
	}
	return p, nil
}

// remote is origin of the checkout, with what GitHub gives a job to be let in.
func remote(ctx context.Context, root string) (r history.Remote, err error) {
	r.Token, r.Server = os.Getenv("GITHUB_TOKEN"), github.ServerURL()
	r.URL, err = history.Origin(ctx, root)
	return r, err
}

// collected is the directory of what was collected.
type collected struct{ dir string }

// clear takes away what an earlier collect left: a file that is not written
// this time means something.
func (c collected) clear() error {
	err := os.MkdirAll(c.dir, 0o755)
	for _, name := range []string{session.RecordsFile, rankFile, biggerFile, smallerFile, chartsFile, summaryFile, flagsFile, addedFile, drawnFile} {
		if e := os.Remove(filepath.Join(c.dir, name)); e != nil && !os.IsNotExist(e) {
			err = errors.Join(err, e)
		}
	}
	return err
}

func (c collected) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(c.dir, name), data, 0o644)
}

// records writes those of the legs, and those of all servers together.
func (c collected) records(legs, rank []record.Record) error {
	for name, records := range map[string][]record.Record{session.RecordsFile: legs, rankFile: rank} {
		var lines bytes.Buffer
		if err := record.Write(&lines, records); err != nil {
			return err
		}
		if err := c.write(name, lines.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// points writes the legs' chart points, and the chart of what was known before,
// to compare them with. suites says of each file of points whether there are any.
func (c collected) points(ctx context.Context, root string, p plan.Plan, legs []record.Record) (note string, suites map[string]bool, err error) {
	suites = map[string]bool{}
	bigger, smaller := collect.Points(legs)
	for name, points := range map[string][]history.Bench{biggerFile: bigger, smallerFile: smaller} {
		if len(points) == 0 {
			continue // the action takes an empty list for an error
		}
		suites[name] = true
		data, err := json.MarshalIndent(collect.Alarm(points), "", " ")
		if err != nil {
			return "", nil, err
		}
		if err := c.write(name, append(data, '\n')); err != nil {
			return "", nil, err
		}
	}
	if len(suites) == 0 {
		return "No figure that is charted is known, so the charts get no point.", suites, nil
	}
	before, err := known(ctx, root, p)
	if ctx.Err() != nil {
		return "", nil, ctx.Err()
	}
	switch {
	case err != nil:
		// To measure again takes longer than to compare later.
		fmt.Fprintln(os.Stderr, "collect: nothing is compared with the history:", err)
		return "The history could not be read, so nothing is compared with it.", suites, nil
	case len(before.Entries) == 0:
		return "The history has no figures of older commits to compare with.", suites, nil
	}
	data, err := collect.AlarmChart(before).JSON()
	if err != nil {
		return "", nil, err
	}
	return "", suites, c.write(chartsFile, data)
}

// known is the chart of what was known before the plan's revision.
func known(ctx context.Context, root string, p plan.Plan) (history.Chart, error) {
	from, err := remote(ctx, root)
	if err != nil {
		return history.Chart{}, err
	}
	chart, err := from.Chart(ctx)
	if err != nil {
		return history.Chart{}, err
	}
	at, err := from.Time(ctx, root, p.Revision)
	if err != nil {
		return history.Chart{}, err
	}
	return chart.Before(p.Revision, at), nil
}

// serversAt are the plan's servers as their manifests say at its revision,
// which may not be this checkout's.
func serversAt(ctx context.Context, root string, p plan.Plan) ([]manifest.Server, error) {
	dir, err := os.MkdirTemp("", "fairstream-manifests-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // else the system removes it some day
	var servers []manifest.Server
	for _, name := range p.Servers {
		s, err := revision.Extract(ctx, root, p.Revision, workload.Server{Workload: workload.Names[0], Name: name}, dir)
		if err != nil {
			return nil, err
		}
		servers = append(servers, s.Server)
	}
	return servers, nil
}
